import { createReadStream } from 'node:fs'

/**
 * The lines of a UTF-8 file without their line feeds. Only a line feed ends one: JSON may have the other line breaks
 * of Unicode in its texts, which `node:readline` takes for ends.
 */
export async function* readTextLines(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    begun.push(first)
    for (const part of rest) {
      yield begun.join('')
      begun = [part]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}
