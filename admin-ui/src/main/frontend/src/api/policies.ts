/** The policies that a pool can have, each with what it goes by. */
export const POLICIES = ['eldr', 'union', 'domain', 'jsq', 'p2c', 'round-robin', 'random'] as const;

export const POLICY_ABOUT: Readonly<Record<(typeof POLICIES)[number], string>> = {
  eldr: 'the least loaded of the decoders whose cluster is near',
  union: 'the decoder whose steps grow least by the request’s experts',
  domain: 'the decoder that the request’s label belongs to',
  jsq: 'the least loaded decoder',
  p2c: 'the less loaded of two random decoders',
  'round-robin': 'one after the other',
  random: 'any decoder',
};
