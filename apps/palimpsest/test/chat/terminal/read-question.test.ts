import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { assertTerminalNode, readQuestion } from '../../../src/chat/run-chat.ts'

it.each([
  ['review this', undefined, 'review this'],
  [undefined, ' the whole\ninput \n', 'the whole\ninput'],
  ['review this', '+ added\n', 'review this\n\n+ added'],
])('%j and %j make one question', async (argument, piped, question) => {
  const input = piped === undefined ? undefined : Readable.from([Buffer.from(piped)])
  expect(await readQuestion(argument, input)).toBe(question)
})

it('puts characters together that come in pieces', async () => {
  const bytes = Buffer.from('größe 👍')
  const pieces = [...bytes].map((byte) => Buffer.from([byte]))
  expect(await readQuestion(undefined, Readable.from(pieces))).toBe('größe 👍')
})

it.each([
  [undefined, undefined],
  ['  ', ' \n'],
])('refuses %j and %j: there is nothing to answer', async (argument, piped) => {
  const input = piped === undefined ? undefined : Readable.from([Buffer.from(piped)])
  await expect(readQuestion(argument, input)).rejects.toThrow('no question')
})

it('shows how a word is asked that was taken for an id', async () => {
  await expect(readQuestion(undefined, undefined, 'why?')).rejects.toThrow('palimpsest chat "why?" --resume')
})

it('says which Node the terminal needs, and what works on this one', () => {
  expect(() => assertTerminalNode('22.18.3')).toThrow('needs Node 22.19 or later, this is 22.18.3')
  expect(() => assertTerminalNode('20.1.0')).toThrow('| cat')
  for (const version of ['22.19.0', '24.0.0']) expect(() => assertTerminalNode(version)).not.toThrow()
})
