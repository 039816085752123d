export function count(value: number): string {
  return value.toLocaleString('en-US')
}

export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}
