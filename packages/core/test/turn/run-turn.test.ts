import { describe, expect, it } from 'vitest'
import {
  type Message,
  ModelError,
  runTurn,
  type ToolSchema,
  type Turn,
  type TurnAnswer,
  type TurnRequest,
} from '../../src/index.ts'
import type { TurnInput } from '../../src/turn/run-turn.ts'
import { open } from '../session/doubles.ts'
import { talk, texts } from '../session/talk.ts'

const tooLong = new ModelError('context-overflow', 'too long')
const grep: ToolSchema = { type: 'function', function: { name: 'grep' } }
const read: ToolSchema = { type: 'function', function: { name: 'read' } }

type Step = TurnAnswer | ((request: TurnRequest) => TurnAnswer | Promise<TurnAnswer>)

/** A turn in a session whose engine has the tool `grep`, with a model that plays a script. */
function play(script: readonly Step[], input: Partial<TurnInput<TurnAnswer>> = {}) {
  const opened = open({
    toolSchemas: () => [grep],
    handleToolCall: async (_name, args) => JSON.stringify({ found: args }),
  })
  const requests: TurnRequest[] = []
  const turn = (): Promise<Turn<TurnAnswer>> =>
    runTurn({
      session: opened.session,
      messages: talk(3),
      async ask(request) {
        requests.push(request)
        const step = script[requests.length - 1]
        if (step === undefined) throw new Error('the script is over')
        return typeof step === 'function' ? step(request) : step
      },
      ...input,
    })
  return { ...opened, requests, turn }
}

const calls = (...names: readonly string[]): TurnAnswer => ({
  message: {
    role: 'assistant',
    content: null,
    tool_calls: names.map((name, index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: '{"a":1}' },
    })),
  },
})

const assistant = (content: string) => ({ role: 'assistant', content }) as const

const words = (content: string, usage?: object): TurnAnswer => ({ message: assistant(content), usage })

const roles = (messages: readonly Message[]) => messages.map(({ role }) => role)

describe('runTurn', () => {
  it("runs the engine's tools and the host's in their order, and asks again with their results", async () => {
    const ran: string[] = []
    const { turn, requests, session } = play([calls('grep', 'read'), words('It is 1.')], {
      tools: [read],
      runTool: (call) => {
        ran.push(call.id)
        return 'port = 1'
      },
    })
    const { end, messages, answers } = await turn()
    expect(end).toBe('answered')
    expect(ran).toEqual(['c1'])
    expect(texts(messages.slice(1))).toEqual(['{"found":{"a":1}}', 'port = 1', 'It is 1.'])
    expect(answers).toHaveLength(2)
    expect(requests[0]?.tools.map((tool) => tool.function.name)).toEqual(['read', 'grep'])
    expect(requests[1]?.messages.slice(-3)).toEqual(messages.slice(0, 3))
    expect(session.transcript).toHaveLength(talk(3).length + 3)
  })

  it('hands calls back that only the client can run, with the results of the others', async () => {
    const { turn } = play([calls('grep', 'read')])
    const { end, messages } = await turn()
    expect(end).toBe('handed-back')
    expect(messages.slice(1)).toEqual([{ role: 'tool', tool_call_id: 'c0', content: '{"found":{"a":1}}' }])
  })

  it('tells each message before the engine hears of it, and reports usage once', async () => {
    const order: string[] = []
    const usage = { promptTokens: 10, completionTokens: 1, totalTokens: 11 }
    const { turn, session } = play([calls('grep'), words('Yes.', usage)], {
      onMessage: (message, soFar) => {
        order.push(`${message.role} ${soFar.messages.length} ${soFar.answers.length}`)
      },
    })
    session.subscribe((event) => {
      if (event.type === 'usage') order.push(`usage ${event.usage.promptTokens}`)
    })
    await turn()
    expect(order).toEqual(['assistant 1 1', 'tool 2 1', 'assistant 3 2', 'usage 10'])
  })

  it('sends a prompt that was too long once more, smaller', async () => {
    const refuse = () => {
      throw tooLong
    }
    const { turn, requests } = play([refuse, words('Short.')])
    const { end, compactions, prepared } = await turn()
    expect(end).toBe('answered')
    expect(texts(requests[1]?.messages ?? [])).toEqual(['Be exact.', 'SUMMARY', 'and now?'])
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(prepared.tokens).toBeLessThan(requests[0]?.tokens ?? 0)

    const twice = play([refuse, refuse, words('never')])
    await expect(twice.turn()).rejects.toBe(tooLong)
    expect(twice.requests).toHaveLength(2)
  })

  it('throws other errors as they came, without a second request', async () => {
    const failed = new ModelError('overloaded', 'come back later')
    const { turn, requests } = play([
      () => {
        throw failed
      },
      words('never'),
    ])
    await expect(turn()).rejects.toBe(failed)
    expect(requests).toHaveLength(1)
  })

  it('stops after so many rounds, says so in the last one, and leaves no call without a result', async () => {
    const { turn, requests } = play([calls('grep'), calls('grep'), calls('grep')], { maxRounds: 2 })
    const { end, messages } = await turn()
    expect(end).toBe('too-many-rounds')
    expect(requests.map(({ isLast }) => isLast)).toEqual([false, true])
    expect(roles(messages)).toEqual(['assistant', 'tool', 'assistant', 'tool'])
  })

  it('rejects with the reason at once when a model ignores an abort', async () => {
    const stop = new AbortController()
    const { turn, requests } = play(
      [
        () => {
          stop.abort(new Error('stopped'))
          return new Promise<never>(() => {})
        },
        words('never'),
      ],
      { signal: stop.signal },
    )
    await expect(turn()).rejects.toThrow('stopped')
    expect(requests).toHaveLength(1)
  })

  it('waits for a tool that is stopped, keeps its result, and runs no other', async () => {
    const stop = new AbortController()
    const told: string[] = []
    const { turn } = play([calls('read', 'write'), words('never')], {
      signal: stop.signal,
      runTool: async (call, signal) => {
        stop.abort(new Error('stopped'))
        return `${call.id} ${signal.aborted ? 'was stopped' : 'ran'}`
      },
      onMessage: (message) => {
        told.push(...texts([message]))
      },
    })
    await expect(turn()).rejects.toThrow('stopped')
    expect(told.at(-1)).toBe('c0 was stopped')
    expect(told).toHaveLength(2)
  })

  it('sends each message once when the host adds it to its own list', async () => {
    const history: Message[] = talk(1)
    const { requests, turn } = play([calls('read'), { message: { role: 'assistant', content: 'done' } }], {
      messages: history,
      runTool: () => 'read',
      onMessage: (message) => void history.push(message),
    })
    await turn()
    const roles = requests.map(({ messages }) => messages.map(({ role }) => role).join(' '))
    expect(roles).toEqual(['system user assistant user', 'system user assistant user assistant tool'])
  })
})
