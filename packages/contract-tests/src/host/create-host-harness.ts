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

/** Closing conversations takes no longer, in milliseconds. */
const CLOSE_MS = 20_000
/** The window that hosts are told of unless a case is about another one, in tokens. */
export const HOST_WINDOW_TOKENS = 32_000

/** A conversation of the host under test, and what the suite knows of it. */
export type Talk = Awaited<ReturnType<typeof openTalk>>

interface TalkInput {
  /** One lower-case word, unlike that of every other conversation of the case. */
  readonly name: string
  readonly provider: SuiteProvider
  readonly engine: SuiteEngine
  /** The window that the host is told of, in tokens. Default 32,000. */
  readonly contextLength?: number
}

/** A long conversation with tools that is over, and everything that was seen of it. */
export interface Course {
  readonly talk: Talk
  readonly engine: SuiteEngine
  /** The host's own history, read before the end. */
  readonly history: string
  /** Why it ended early. Undefined when every question was answered. */
  readonly failure: Error | undefined
}

/** Opens what a case needs. It is closed when the case is over. */
export interface HostOpener {
  /** Starts a provider. Its window is in tokens. Default 32,000. */
  provider(windowTokens?: number): Promise<SuiteProvider>
  open(input: TalkInput): Promise<Talk>
}

/** The tools of a case. */
export interface HostHarness extends HostOpener {
  /** The long conversation that several cases are about. It takes place once. */
  course(): Promise<Course>
}

/** One promise of host adapters. */
export type HostCase = SuiteCase<HostHarness>

/** A case of the suite for hosts. */
export function hostCase(id: string, title: string, run: HostCase['run']): HostCase {
  return { id, title, run }
}

/** An opener for one case, and how to clean up behind it. */
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
    // The case has said what is wrong.
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
    /** Subjects with which the application's tool ran. */
    lookedUp: lookedUp as readonly string[],
    /** Everything that was said, called and returned so far, if every question was answered. */
    get said(): readonly Message[] {
      return transcriptOf(turns)
    },
    /** The provider's requests that belong to it. */
    get requests(): readonly SuiteRequest[] {
      return provider.requests.filter(({ messages }) => placeOf(messages)?.talk === name)
    },
    /** Asks the next question, and fails when the host's answer is not the model's last one. */
    async say(plan: string, options?: { readonly signal?: AbortSignal }): Promise<void> {
      const turn = { talk: name, turn: turns.length + 1, plan }
      turns.push(turn)
      const answer = await current().send(questionText(turn), options)
      const promise = `send() ${turn.turn} must resolve to the text of the model's last answer`
      equal(answer, answerText(turn), promise)
    },
    history: () => current().history(),
    close,
    /** Closes it, and opens it again with the same id on the same storage. */
    async restart(): Promise<void> {
      await close()
      conversation = await target.open(setup)
    },
  }
}
