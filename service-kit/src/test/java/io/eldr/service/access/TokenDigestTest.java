package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDigestTest {

    @Test
    void isTheSha256OfTheToken() {
        assertThat(TokenDigest.of("abc").hex())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void readsBackWhatItWrites() {
        TokenDigest digest = TokenDigest.of("päss");

        assertThat(TokenDigest.parse(digest.hex())).isEqualTo(digest).hasSameHashCodeAs(digest);
        assertThat(digest.matches(TokenDigest.of("pass"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "zz7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "０"})
    void refusesTextThatIsNoDigest(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TokenDigest.parse(text));
    }
}
