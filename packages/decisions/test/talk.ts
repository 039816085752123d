import {
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  type Message,
  messageText,
  roughTokenCounter,
} from '@palimpsest/core'
import { expect } from 'vitest'
import decisions, { type DecisionsOptions } from '../src/index.ts'

/** A clock that goes on by a second with each look. */
export function tickingClock(start = 1_800_000_000_000): { now(): number } {
  let now = start
  return { now: () => (now += 1_000) }
}

/** A host that keeps its whole history and says one thing after the other. */
export interface Talk {
  readonly session: ContextSession
  readonly history: Message[]
  /** The user says something; returns what the model would see. */
  ask(text: string): Promise<readonly Message[]>
  /** The assistant answers, and the turn ends. */
  answer(text: string): Promise<void>
  /** Both. */
  turn(text: string, answer?: string): Promise<readonly Message[]>
  /** Waits until the model has read every job. */
  read(): Promise<void>
  /** The answer of a tool. */
  tool(name: string, args?: object): Promise<ReturnType<typeof JSON.parse>>
  compactions: number
  /** Codes. */
  readonly warnings: string[]
}

export function talkWith(
  options: DecisionsOptions = {},
  parts: Partial<ContextSessionOptions<DecisionsOptions>> & { readonly history?: readonly Message[] } = {},
): Talk {
  const { history: begun, ...rest } = parts
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    options,
    contextLength: 16_000,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
    ...rest,
  })
  const history: Message[] = [...(begun ?? [{ role: 'system', content: 'You are a coding agent.' }])]
  const talk: Talk = {
    session,
    history,
    compactions: 0,
    warnings: [],
    async ask(text) {
      history.push({ role: 'user', content: text })
      const { messages, compactions, warnings } = await session.prepare(history)
      talk.warnings.push(...warnings.map(({ code }) => code))
      talk.compactions += compactions.filter(({ outcome }) => outcome === 'compacted').length
      return messages
    },
    async answer(text) {
      const message = { role: 'assistant', content: text } as const
      await session.observe({ message })
      history.push(message)
    },
    async turn(text, answer = 'Done.') {
      const messages = await talk.ask(text)
      await talk.answer(answer)
      return messages
    },
    async read() {
      const isBusy = () => {
        const { extraction } = session.engine.status().details ?? {}
        return (extraction as { readonly isBusy?: boolean } | undefined)?.isBusy === true
      }
      await expect.poll(isBusy, { interval: 5 }).toBe(false)
    },
    tool: async (name, args = {}) => JSON.parse(await session.callTool(name, args)),
  }
  return talk
}

export function textOf(messages: readonly Message[]): string {
  return messages.map(messageText).join('\n\n')
}

/** The block at the top. */
export function blockOf(messages: readonly Message[]): string {
  const [system] = messages
  return /<project_decisions>[\s\S]*<\/project_decisions>/.exec(system ? messageText(system) : '')?.[0] ?? ''
}
