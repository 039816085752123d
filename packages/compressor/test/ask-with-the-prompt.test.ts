import {
  type CachePlanner,
  type ChatCall,
  type ChatResponse,
  createContextSession,
  isSummary,
  type Message,
  messageText,
} from '@palimpsest/core'
import { expect, it } from 'vitest'
import { compressor } from '../src/index.ts'
import { assistant, SUMMARY, system, tokens, turns, user } from './harness.ts'

/** A planner whose provider holds the prompt, or has dropped it. */
const planner = (isWarm: boolean): CachePlanner => ({
  plan: () => ({
    breakpoints: [],
    expected: { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 },
  }),
  isWarm: () => isWarm,
  reset() {},
})

interface Talk {
  readonly isWarm?: boolean
  readonly answer?: ChatResponse['message']
  readonly read?: boolean
}

const tool = { type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }

/** A conversation that is compacted, with what its model was asked. */
async function compacted({ isWarm = true, answer = assistant(SUMMARY) }: Talk = {}) {
  const asked: { chat: ChatCall[]; complete: string[] } = { chat: [], complete: [] }
  const session = createContextSession({
    engine: compressor,
    contextLength: 8_000,
    tokens,
    cache: planner(isWarm),
    model: {
      name: 'double',
      contextLength: 8_000,
      async complete({ prompt }) {
        asked.complete.push(prompt)
        return { text: SUMMARY, finishReason: 'stop' }
      },
      async chat(call) {
        asked.chat.push(call)
        return { message: answer, finishReason: 'stop' }
      },
    },
  })
  const history: Message[] = [system(), ...turns(9)]
  let sent: readonly Message[] = []
  let shown: readonly Message[] = []
  for (let turn = 0; asked.chat.length + asked.complete.length === 0; turn++) {
    sent = shown
    history.push(user(`Question ${turn}. ${'The port is 5433. '.repeat(30)}`))
    shown = (await session.prepare(history, { tools: [tool] })).messages
    const message = assistant(`Answer ${turn}.`)
    await session.observe({ message })
    history.push(message)
  }
  await session.end()
  return { asked, sent, shown, history }
}

it('asks with the prompt that was sent last, the answer to it, and one more message', async () => {
  const { asked, sent, shown, history } = await compacted()
  const [call] = asked.chat
  const messages = call?.messages ?? []
  expect(messages.slice(0, sent.length)).toEqual(sent)
  expect(messages.slice(sent.length, -1)).toEqual(history.slice(-3, -2))
  expect(call?.tools).toEqual([tool])
  expect(call?.cache).toMatchObject({ breakpoints: [] })
  const request = messageText(messages.at(-1) ?? user(''))
  const kept = shown[shown.findIndex(isSummary) + 1]
  expect(request).toContain(`<stays>\n${messageText(kept ?? user('')).slice(0, 40)}`)
  expect(asked.complete).toEqual([])
  expect(messageText(shown.find(isSummary) ?? user(''))).toContain('The user wanted the program looked at.')
})

it.each<[string, Talk]>([
  ['the provider has dropped the prompt', { isWarm: false }],
  ['the model goes on with its work', { answer: turns(1)[1] as ChatResponse['message'] }],
  ['the model answers the user', { answer: assistant('The port is 5433.') }],
])('asks with a prompt of its own when %s', async (_, talk) => {
  const { asked, shown } = await compacted(talk)
  expect(asked.complete).toHaveLength(1)
  expect(asked.chat).toHaveLength(talk.isWarm === false ? 0 : 1)
  expect(messageText(shown.find(isSummary) ?? user(''))).toContain('The user wanted the program looked at.')
})
