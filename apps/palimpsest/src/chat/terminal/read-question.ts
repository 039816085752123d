import type { Readable } from 'node:stream'
import { UsageError } from '../../usage-error.ts'

/**
 * The question of a chat without a terminal: the argument, and behind it what standard input brings, so that
 * `git diff | palimpsest chat "review this"` does what it looks like.
 *
 * @param input Undefined when a person sits at it: then nothing is read.
 * @throws UsageError when both are empty.
 */
export async function readQuestion(
  argument: string | undefined,
  input: Readable | undefined,
): Promise<string> {
  const pieces: Buffer[] = []
  if (input !== undefined) for await (const piece of input) pieces.push(Buffer.from(piece))
  const piped = Buffer.concat(pieces).toString('utf8').trim()
  const question = [argument?.trim() ?? '', piped].filter((part) => part !== '').join('\n\n')
  if (question !== '') return question
  throw new UsageError(
    'there is no terminal to chat in, and no question: give one as an argument or on standard input, ' +
      'such as palimpsest chat "what is this folder?"',
  )
}
