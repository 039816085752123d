export const ENGINE_MEANINGS: Readonly<Record<string, string>> = {
  compressor: 'a summary takes the place of old messages',
  lcm: 'old messages are stored and summarised, and the model can search them',
  decisions: 'what was decided stays in every prompt',
}

export const engineMeaning = (engine: string): string =>
  engine
    .split(' over ')
    .flatMap((name) => ENGINE_MEANINGS[name] ?? [])
    .join('; ')
