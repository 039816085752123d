import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createContextSession,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript } from '@palimpsest/transcripts'
import { expect, it } from 'vitest'
import { BUNDLED_SESSION, RECORDED_FOLDER } from '../src/bundled-session.ts'
import { RECORDED_WINDOW, readRecording } from '../src/replay/read-recording.ts'

const CLOSING = 'Before we go on: I have some questions about what was said and done so far.'

/** As `bench answers` writes it for whoever answers. */
const promptText = (messages: readonly Message[]) =>
  messages
    .map((message) => {
      const calls = toolCallsOf(message).map((call) => [toolCallName(call), toolCallInput(call)])
      const text = `--- ${message.role}\n${messageText(message)}`
      return calls.length > 0 ? `${text}\n[calls] ${JSON.stringify(calls)}` : text
    })
    .join('\n')

it('the answers of the demo were given to the prompt in which its run ends', async () => {
  const { definition } = await readRecording()
  const tokens = createTokenCounter()
  const session = createContextSession({ engine: definition, contextLength: RECORDED_WINDOW, tokens })
  const { entries } = await readTranscript(BUNDLED_SESSION)
  const messages = entries.map(({ message }) => message)
  for (const [index, { role }] of messages.entries())
    if (role === 'assistant' && index > 0) await session.prepare(messages.slice(0, index))
  const last = await session.prepare([...messages, { role: 'user', content: CLOSING }])
  await session.end()
  const { promptSha256 } = JSON.parse(readFileSync(new URL('compressor.json', RECORDED_FOLDER), 'utf8'))
  expect(createHash('sha256').update(promptText(last.messages)).digest('hex')).toBe(promptSha256)
})
