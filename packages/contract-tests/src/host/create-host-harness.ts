import { equal, ok } from 'node:assert/strict'
import type { Message } from '@palimpsest/core'
import { createTemporaryFolders } from '../harness/create-harness.ts'
import { withinLimit } from '../harness/processor-time.ts'
import type { SuiteCase } from '../run-suite.ts'
import type { HostConversation, HostSetup, HostTarget } from './host-target.ts'
import {
  answerText,
  foundText,
  HOST_TOOL,
  placeOf,
  questionText,
  type ScriptedTurn,
  transcriptOf,
} from './script.ts'
import type { SuiteEngine } from './suite-engine.ts'
import { type SuiteProvider, type SuiteRequest, startSuiteProvider } from './suite-provider.ts'

/** Time limit for closing conversations, in milliseconds. */
const CLOSE_MS = 20_000
export const HOST_WINDOW_TOKENS = 32_000

export type Talk = Awaited<ReturnType<typeof openTalk>>

interface TalkInput {
  readonly name: string
  readonly provider: SuiteProvider
  readonly engine: SuiteEngine
  readonly contextLength?: number
}

export interface Course {
  readonly talk: Talk
  readonly engine: SuiteEngine
  readonly history: string
  readonly failure: Error | undefined
}

export interface HostOpener {
  provider(windowTokens?: number): Promise<SuiteProvider>
  open(input: TalkInput): Promise<Talk>
}

/** The tools of a case. */
export interface HostHarness extends HostOpener {
  /** A long conversation that several cases share. It runs once. */
  course(): Promise<Course>
}

/** A case of the suite for host adapters. */
export type HostCase = SuiteCase<HostHarness>

export function hostCase(id: string, title: string, run: HostCase['run']): HostCase {
  return { id, title, run }
}

export function createHostOpener(target: HostTarget): {
  readonly opener: HostOpener
  cleanUp(): Promise<void>
} {
  const folders = createTemporaryFolders()
  const providers: SuiteProvider[] = []
  const talks: Talk[] = []
  const opener: HostOpener = {
    async provider(windowTokens = HOST_WINDOW_TOKENS) {
      const provider = await startSuiteProvider(windowTokens)
      providers.push(provider)
      return provider
    },
    async open(input) {
      const talk = await openTalk(target, { ...input, storage: folders.create() })
      talks.push(talk)
      return talk
    },
  }
  const cleanUp = async (): Promise<void> => {
    // The case has reported what is wrong.
    const closed = Promise.allSettled(talks.map((talk) => talk.close()))
    await withinLimit(closed, CLOSE_MS).catch(() => {})
    await Promise.all(providers.map((provider) => provider.close()))
    folders.remove()
  }
  return { opener, cleanUp }
}

async function openTalk(
  target: HostTarget,
  {
    name,
    provider,
    engine,
    storage,
    contextLength = HOST_WINDOW_TOKENS,
  }: TalkInput & Pick<HostSetup, 'storage'>,
) {
  const turns: ScriptedTurn[] = []
  const lookedUp: string[] = []
  const { baseUrl, apiKey, model } = provider
  const setup: HostSetup = {
    engine: engine.definition,
    contextLength,
    sessionId: `suite-${name}`,
    storage,
    provider: { baseUrl, apiKey, model },
    tools: [
      {
        name: HOST_TOOL,
        description: 'Looks a subject up.',
        parameters: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
        async run({ subject }) {
          lookedUp.push(String(subject))
          return foundText(String(subject))
        },
      },
    ],
  }
  let conversation: HostConversation | undefined = await target.open(setup)
  const current = (): HostConversation => {
    ok(conversation, 'the conversation is closed')
    return conversation
  }
  const close = async (): Promise<void> => {
    const closing = conversation
    conversation = undefined
    await closing?.close()
  }
  return {
    turns: turns as readonly ScriptedTurn[],
    lookedUp: lookedUp as readonly string[],
    get said(): readonly Message[] {
      return transcriptOf(turns)
    },
    get requests(): readonly SuiteRequest[] {
      return provider.requests.filter(({ messages }) => placeOf(messages)?.talk === name)
    },
    async say(plan: string, options?: { readonly signal?: AbortSignal }): Promise<void> {
      const turn = { talk: name, turn: turns.length + 1, plan }
      turns.push(turn)
      const answer = await current().send(questionText(turn), options)
      const promise = `send() ${turn.turn} must resolve to the text of the model's last answer`
      equal(answer, answerText(turn), promise)
    },
    history: () => current().history(),
    close,
    async restart(): Promise<void> {
      await close()
      conversation = await target.open(setup)
    },
  }
}
