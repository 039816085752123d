import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AssistantMessage,
  type ContextSession,
  createContextSession,
  type Message,
  type Prepared,
  type ToolCall,
  type ToolMessage,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { HostConversation, HostSetup } from '../../src/host/index.ts'

/** A step's view of the conversation. */
export interface Loop {
  readonly setup: HostSetup
  readonly session: ContextSession
  readonly signal: AbortSignal | undefined
}

type Request = Pick<Prepared, 'messages' | 'tools'>

interface Answer {
  readonly message: AssistantMessage
  readonly usage: object
}

const SYSTEM: Message = { role: 'system', content: 'You answer questions.' }

const fileOf = ({ storage, sessionId }: HostSetup) => join(storage, `${sessionId}.json`)

/** The steps of the host. A broken host is this one with a step that does something else. */
export const LOOP_STEPS = {
  toolsOf: ({ tools }: HostSetup): ToolSchema[] =>
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters } },
    })),
  createSession: ({ engine, contextLength, sessionId }: HostSetup): ContextSession =>
    createContextSession({ engine, contextLength, sessionId }),
  load: async (setup: HostSetup): Promise<Message[]> => {
    const text = await readFile(fileOf(setup), 'utf8').catch(() => JSON.stringify([SYSTEM]))
    return JSON.parse(text)
  },
  save: (setup: HostSetup, history: readonly Message[]): Promise<void> =>
    writeFile(fileOf(setup), JSON.stringify(history)),
  prepare: ({ setup, session, signal }: Loop, history: Message[]): Promise<Request> =>
    session.prepare(history, { tools: LOOP_STEPS.toolsOf(setup), signal }),
  async ask({ setup, signal }: Loop, { messages, tools }: Request): Promise<Answer> {
    const { baseUrl, apiKey, model } = setup.provider
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools }),
      signal: signal ?? null,
    })
    const body = JSON.parse(await response.text())
    if (!response.ok) throw Object.assign(new Error(body.error.message), body.error)
    const { refusal: _, ...message } = body.choices[0].message
    return { message, usage: body.usage }
  },
  recover: ({ session, signal }: Loop, error: unknown): Promise<Request> =>
    session.recover(error, { signal }),
  observe: ({ session }: Loop, answer: Answer): Promise<void> => session.observe(answer),
  answerCall: ({ session, signal }: Loop, call: ToolCall): Promise<ToolMessage | undefined> =>
    session.answerCall(call, { signal }),
  async runTool({ setup }: Loop, call: ToolCall): Promise<ToolMessage> {
    const tool = setup.tools.find(({ name }) => name === toolCallName(call))
    const content = (await tool?.run(JSON.parse(toolCallInput(call)))) ?? 'There is no such tool.'
    return { role: 'tool', tool_call_id: call.id, content }
  },
  end: (session: ContextSession): Promise<void> => session.end(),
}
export type LoopSteps = typeof LOOP_STEPS

/** A host with a loop of its own, which keeps its history in a file. */
export async function openLoopHost(
  setup: HostSetup,
  steps: LoopSteps = LOOP_STEPS,
): Promise<HostConversation> {
  const session = steps.createSession(setup)
  const history = await steps.load(setup)

  const answer = async (loop: Loop): Promise<Answer> => {
    const request = await steps.prepare(loop, history)
    try {
      return await steps.ask(loop, request)
    } catch (error) {
      return steps.ask(loop, await steps.recover(loop, error))
    }
  }

  return {
    async send(text, { signal } = {}) {
      const loop: Loop = { setup, session, signal }
      history.push({ role: 'user', content: text })
      for (;;) {
        const answered = await answer(loop)
        await steps.observe(loop, answered)
        history.push(answered.message)
        const calls = toolCallsOf(answered.message)
        for (const call of calls)
          history.push((await steps.answerCall(loop, call)) ?? (await steps.runTool(loop, call)))
        if (calls.length > 0) continue
        await steps.save(setup, history)
        return String(answered.message.content)
      }
    },
    history: async () => JSON.stringify(history),
    close: () => steps.end(session),
  }
}
