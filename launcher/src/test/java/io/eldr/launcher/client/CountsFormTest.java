package io.eldr.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.ExpertCounts;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CountsFormTest {

    @Test
    void rawCountsAreLittleEndianAndLayerMajor() {
        ExpertCounts counts = ExpertCounts.of(2, 2, new int[] {1, 2, 258, 0});

        assertThat(CountsForm.u16(counts)).containsExactly(1, 0, 2, 0, 2, 1, 0, 0);
    }

    @Test
    void rawCountsSaturate() {
        ExpertCounts counts = ExpertCounts.of(1, 2, new int[] {65_535, 65_536});

        assertThat(CountsForm.u16(counts)).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void theJsonFormSaysItsShape() {
        ObjectNode form = CountsForm.json(ExpertCounts.of(1, 3, new int[] {3, 0, 1}), 4);

        assertThat(form)
                .hasToString(
                        "{\"v\":1,\"layers\":1,\"experts\":3,\"tokens\":4,\"dtype\":\"u16\",\"counts\":\"AwAAAAEA\"}");
    }

    @Test
    void largeCountsAreWrittenInFull() {
        ObjectNode form = CountsForm.json(ExpertCounts.of(1, 2, new int[] {65_536, 1}), 65_537);

        assertThat(form.get("dtype").asString()).isEqualTo("u32");
        assertThat(Base64.getDecoder().decode(form.get("counts").asString())).containsExactly(0, 0, 1, 0, 1, 0, 0, 0);
    }
}
