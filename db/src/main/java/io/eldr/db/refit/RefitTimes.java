package io.eldr.db.refit;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.springframework.scheduling.support.CronExpression;

/**
 * The times of a cron expression in a time zone.
 *
 * @param cron six fields, seconds first, as Spring reads them: {@code 0 0 3 * * *} is every night at three
 * @param zone such as {@code UTC} or {@code Europe/Berlin}
 */
public record RefitTimes(String cron, String zone) {
    static final String CRON_FIELD = "schedule.cron";
    static final String ZONE_FIELD = "schedule.zone";

    /** @throws InvalidInputException naming {@code schedule.cron} or {@code schedule.zone} */
    public RefitTimes {
        Checks.text(CRON_FIELD, cron, 200);
        zone(zone);
        expression(cron);
    }

    /**
     * The first time after another.
     *
     * @throws InvalidInputException naming {@code schedule.cron} if there is none
     */
    public Instant after(Instant time) {
        return Optional.ofNullable(expression(cron).next(time.atZone(zone(zone))))
                .orElseThrow(() -> new InvalidInputException(CRON_FIELD, "never comes: '" + cron + "'"))
                .toInstant();
    }

    /** @throws InvalidInputException naming {@code schedule.zone} */
    static ZoneId zone(String zone) {
        try {
            return ZoneId.of(Checks.text(ZONE_FIELD, zone, 64));
        } catch (DateTimeException unknown) {
            throw new InvalidInputException(ZONE_FIELD, "is no time zone: '" + zone + "'");
        }
    }

    private static CronExpression expression(String cron) {
        try {
            return CronExpression.parse(cron);
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidInputException(
                    CRON_FIELD,
                    "must have six fields, seconds first, such as '0 0 3 * * *': " + unreadable.getMessage());
        }
    }
}
