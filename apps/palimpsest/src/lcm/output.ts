import { once } from 'node:events'

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

export function printLines(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

const SHOWN_LINES = 40

export function firstLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - SHOWN_LINES
  if (more <= 0) return lines
  return [...lines.slice(0, SHOWN_LINES), `… and ${more} more (use --json to see all)`]
}

export async function writePart(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
