package io.eldr.router.intent;

/**
 * An artifact as it is stored.
 *
 * @param content its binary form, not copied: nobody changes it
 * @param sha256 of the content as its writer knew it, in lower-case hex
 */
// The bytes are handed from one place to the next once; comparing them would say nothing.
@SuppressWarnings("ArrayRecordComponent")
public record StoredArtifact(byte[] content, String sha256) {}
