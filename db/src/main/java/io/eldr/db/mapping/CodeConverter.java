package io.eldr.db.mapping;

import jakarta.persistence.AttributeConverter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Stores an enum as the lower-case word that APIs show, its name. */
public abstract class CodeConverter<E extends Enum<E>> implements AttributeConverter<E, String> {
    private final Class<E> type;

    protected CodeConverter(Class<E> type) {
        this.type = type;
    }

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable E value) {
        return value == null ? null : value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable E convertToEntityAttribute(@Nullable String code) {
        return code == null ? null : Enum.valueOf(type, code.toUpperCase(Locale.ROOT));
    }
}
