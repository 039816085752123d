export const ENGINE_MEANINGS: Readonly<Record<string, string>> = {
  compressor: 'a summary takes the place of old messages',
  lcm: 'old messages are stored and summarised, and the model can search them',
  decisions: 'what was decided stays in every prompt',
}

/** What an engine does, in a few words; of one that compacts inside another, both. Empty for a stranger's. */
export const engineMeaning = (engine: string): string =>
  engine
    .split(' over ')
    .flatMap((name) => ENGINE_MEANINGS[name] ?? [])
    .join('; ')
