import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readQuestion } from '../../src/chat/run-chat.ts'

it.each([
  ['review this', undefined, 'review this'],
  [undefined, ' the whole\ninput \n', 'the whole\ninput'],
  ['review this', '+ added\n', 'review this\n\n+ added'],
])('%j and %j make one question', async (argument, piped, question) => {
  const input = piped === undefined ? undefined : Readable.from([Buffer.from(piped)])
  expect(await readQuestion(argument, input)).toBe(question)
})

it.each([
  [undefined, undefined],
  ['  ', ' \n'],
])('refuses %j and %j: there is nothing to answer', async (argument, piped) => {
  const input = piped === undefined ? undefined : Readable.from([Buffer.from(piped)])
  await expect(readQuestion(argument, input)).rejects.toThrow('no question')
})
