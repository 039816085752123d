import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readQuestion } from '../../src/chat/run-chat.ts'

it.each([
  [undefined, undefined],
  ['  ', ' \n'],
])('refuses %j and %j: there is nothing to answer', async (argument, piped) => {
  const input = piped === undefined ? undefined : Readable.from([Buffer.from(piped)])
  await expect(readQuestion(argument, input)).rejects.toThrow('no question')
})
