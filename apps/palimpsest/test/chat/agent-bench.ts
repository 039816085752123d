import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatCall, ChatModel, ChatResponse, ToolCall } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { onTestFinished } from 'vitest'
import type { ChatEvent, TurnEnd } from '../../src/chat/chat-agent.ts'
import { type ChatStore, openChatStore } from '../../src/chat/chat-record.ts'
import { type ChatAgent, type ChatAgentInput, createChatAgent } from '../../src/chat/create-chat-agent.ts'
import { loadConfiguration } from '../../src/engines/configuration.ts'

const tokens = createTokenCounter()

interface AgentBench {
  readonly workspace: string
  readonly home: string
  /** A chat on this bench, on the engine that starts fastest; it is closed when the test is over. */
  open(model: ChatModel | undefined, input?: Partial<ChatAgentInput>): Promise<ChatAgent>
  /** Does something with the store of the chats. */
  withChats<T>(work: (chats: ChatStore) => Promise<T>): Promise<T>
}

/** A workspace with these files, and a home for records. They are gone when the test is over. */
export async function agentBench(files: Readonly<Record<string, string>> = {}): Promise<AgentBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-chat-')))
  const workspace = join(root, 'workspace')
  const home = join(root, 'home')
  await mkdir(workspace)
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text)
  const agents: ChatAgent[] = []
  onTestFinished(async () => {
    for (const agent of agents) await agent.close()
    await rm(root, { recursive: true, force: true })
  })
  const configure = () => loadConfiguration(undefined, workspace, { ...process.env, PALIMPSEST_HOME: home })
  return {
    workspace,
    home,
    async withChats(work) {
      const chats = await openChatStore(home, await configure())
      return work(chats).finally(() => chats.store.close())
    },
    async open(model, input = {}) {
      const agent = await createChatAgent({
        configuration: await configure(),
        flags: { engine: 'compressor' },
        model,
        window: 64_000,
        workspace,
        home,
        confirm: async () => 'yes',
        tokens,
        clock: { now: Date.now },
        ...input,
      })
      agents.push(agent)
      return agent
    },
  }
}

export type Reply = (call: ChatCall) => ChatResponse | Promise<ChatResponse>

/** A model that gives these answers one after the other, and keeps what it was asked. */
export function scripted(
  ...replies: readonly (Reply | ChatResponse)[]
): ChatModel & { readonly calls: ChatCall[] } {
  const calls: ChatCall[] = []
  return {
    name: 'double:scripted',
    calls,
    async chat(call) {
      const reply = replies[calls.length]
      calls.push(call)
      if (reply === undefined) throw new Error(`request ${calls.length} was not expected`)
      return typeof reply === 'function' ? reply(call) : reply
    },
  }
}

export function words(content: string): ChatResponse {
  return { message: { role: 'assistant', content }, finishReason: 'stop' }
}

/** An answer that calls tools: names with arguments, as JSON or as text that may be anything. */
export function calls(...given: readonly (readonly [name: string, args: unknown])[]): ChatResponse {
  const toolCalls = given.map(([name, args], index): ToolCall => {
    const text = typeof args === 'string' ? args : JSON.stringify(args)
    return { id: `c${index}`, type: 'function', function: { name, arguments: text } }
  })
  return { message: { role: 'assistant', content: null, tool_calls: toolCalls }, finishReason: 'tool-calls' }
}

export interface Turn {
  readonly end: TurnEnd
  readonly events: readonly ChatEvent[]
}

/** Says something and keeps what happens. `on` may abort. */
export async function say(
  agent: ChatAgent,
  text: string,
  {
    stop = new AbortController(),
    on = () => {},
  }: { stop?: AbortController; on?: (event: ChatEvent) => void } = {},
): Promise<Turn> {
  const events: ChatEvent[] = []
  const options = {
    signal: stop.signal,
    on: (event: ChatEvent) => {
      events.push(event)
      on(event)
    },
  }
  return { end: await agent.say(text, options), events }
}

/** A reply that says something and then waits until it is stopped. */
export function speakAndHang(text: string): Reply {
  return ({ onText }) => {
    onText?.(text)
    return new Promise(() => {})
  }
}

/** Roles and texts of a history, for comparison. */
export function told(agent: ChatAgent): string[] {
  return agent.history.map((message) => `${message.role}: ${String(message.content ?? '')}`)
}
