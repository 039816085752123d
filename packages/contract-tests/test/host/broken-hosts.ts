import { type ContextSession, type EngineDefinition, type Message, stripReasoning } from '@palimpsest/core'
import type { HostTarget } from '../../src/host/index.ts'
import { LOOP_STEPS, type LoopSteps, openLoopHost } from './loop-host.ts'

/** The loop of the tests with one mistake in it. */
export interface BrokenHost {
  /** The author's mistake, in plain words. */
  readonly name: string
  /** The cases that it must fail, in the order of the suite. It passes all others. */
  readonly fails: readonly string[]
  readonly target: HostTarget
}

/** A broken host: the name of the mistake, the cases that find it, and the steps that are wrong. */
function broken(name: string, fails: string, steps: Partial<LoopSteps>): BrokenHost {
  const open: HostTarget['open'] = (setup) => openLoopHost(setup, { ...LOOP_STEPS, ...steps })
  return { name, fails: fails.split(' '), target: { name, open } }
}

const sessions = new WeakMap<EngineDefinition, ContextSession>()

/** Hosts that break one promise each, and the cases that must find it. */
export const brokenHosts: readonly BrokenHost[] = [
  broken('runs each call twice', 'H01 H10 H15 H16', {
    async runTool(loop, call) {
      await LOOP_STEPS.runTool(loop, call)
      return LOOP_STEPS.runTool(loop, call)
    },
  }),
  broken('takes what the model is sent for its history', 'H02 H10 H15 H16', {
    async prepare(loop, history) {
      const request = await LOOP_STEPS.prepare(loop, history)
      history.splice(0, history.length, ...request.messages)
      return request
    },
  }),
  broken('words old questions anew in each request', 'H03 H06 H17', {
    prepare: (loop, history) =>
      LOOP_STEPS.prepare(
        loop,
        history.map(
          (message, index): Message =>
            message.role === 'user' && index < 3 ? { ...message, name: `of-${history.length}` } : message,
        ),
      ),
  }),
  broken('leaves out results that it finds old', 'H04 H10 H12 H14 H15 H16', {
    async prepare(loop, history) {
      const { messages, tools } = await LOOP_STEPS.prepare(loop, history)
      return { tools, messages: messages.filter(({ role }, index) => role !== 'tool' || index > 3) }
    },
  }),
  broken('sends its whole history', 'H05 H06 H10 H16 H18', {
    async prepare(loop, history) {
      const { tools } = await LOOP_STEPS.prepare(loop, history)
      return { tools, messages: history }
    },
  }),
  broken('puts the time into its system prompt', 'H06', {
    async prepare(loop, history) {
      const { messages, tools } = await LOOP_STEPS.prepare(loop, history)
      const [system, ...rest] = messages
      return { tools, messages: [{ ...system, name: `at-${history.length}` } as Message, ...rest] }
    },
  }),
  broken("declares the engine's tools when there is something to recall", 'H07', {
    async prepare(loop, history) {
      const { messages, tools } = await LOOP_STEPS.prepare(loop, history)
      return { messages, tools: history.length < 20 ? tools.slice(0, 1) : tools }
    },
  }),
  broken("does not know the engine's tools", 'H02 H08 H15 H16', { answerCall: async () => undefined }),
  broken('tells usage twice', 'H09', {
    async observe(loop, answer) {
      await LOOP_STEPS.observe(loop, answer)
      await LOOP_STEPS.observe(loop, answer)
    },
  }),
  broken('throws when a prompt is too long', 'H10', {
    async recover(_, error) {
      throw error
    },
  }),
  broken('sends the same again when a prompt is too long', 'H10 H11', {
    ask: (loop, request) => LOOP_STEPS.ask(loop, request).catch(() => LOOP_STEPS.ask(loop, request)),
  }),
  broken('throws when an engine fails', 'H12', {
    async prepare(loop, history) {
      let failure: string | undefined
      const stop = loop.session.subscribe((event) => {
        if (event.type === 'warning' && event.warning.code === 'engine-failed')
          failure = event.warning.message
      })
      const request = await LOOP_STEPS.prepare(loop, history).finally(stop)
      if (failure !== undefined) throw new Error(failure)
      return request
    },
  }),
  broken('passes no signal on', 'H13 H14', {
    ask: ({ setup, session }, request) => LOOP_STEPS.ask({ setup, session, signal: undefined }, request),
    prepare: ({ setup, session }, history) =>
      LOOP_STEPS.prepare({ setup, session, signal: undefined }, history),
  }),
  broken('has one session for all conversations', 'H15', {
    createSession(setup) {
      const session = sessions.get(setup.engine) ?? LOOP_STEPS.createSession(setup)
      sessions.set(setup.engine, session)
      return session
    },
    end: async () => {},
  }),
  broken('forgets its history when it is closed', 'H16 H17', { save: async () => {} }),
  broken('leaves out what the model thought long ago', 'H06 H18', {
    async prepare(loop, history) {
      const { messages, tools } = await LOOP_STEPS.prepare(loop, history)
      const last = messages.findLastIndex(({ role }) => role === 'user')
      return {
        tools,
        messages: messages.map((message, index) => (index < last ? stripReasoning(message) : message)),
      }
    },
  }),
  broken('names its sessions by chance', 'H17', {
    createSession: ({ sessionId: _, ...setup }) =>
      LOOP_STEPS.createSession({ ...setup, sessionId: crypto.randomUUID() }),
  }),
]
