import { patiently } from '../agent/patiently.ts'
import type { ChatAgent, ChatStatus, Confirm, Consent, TurnEnd, TurnOptions } from '../chat-agent.ts'
import { type ChatCommand, type CommandHost, readInput } from '../commands/chat-command.ts'
import { CHAT_COMMANDS } from '../commands/chat-commands.ts'
import { ENDS, failureLine } from '../texts.ts'
import { askPerson } from './ask-person.ts'
import { type ChatScreen, createChatScreen } from './chat-screen.ts'
import { type CurrentWork, createCurrentWork } from './current-work.ts'
import { createInputQueue, type InputQueue } from './input-queue.ts'
import { introduce } from './introduction.ts'
import type { TerminalChatInput } from './terminal-chat-input.ts'
import { createTurnView } from './turn-view.ts'

/** Characters of a text that waits, which is cut to the line. */
const NOTE_LENGTH = 200
const TOO_LONG_TO_KEEP = 'Press Ctrl-C again to empty the prompt: this text is too long to come back.'
const STILL_STOPPING = 'Still stopping: Ctrl-C again leaves.'

export interface TerminalChatEnd {
  readonly id: string
  /** Whether there is something to go on with. */
  readonly isResumable: boolean
}

/** A conversation at work in a terminal. */
interface Talk {
  readonly input: TerminalChatInput
  readonly screen: ChatScreen
  readonly work: CurrentWork
  readonly confirm: Confirm
  readonly leave: () => void
  agent: ChatAgent
  status: ChatStatus | undefined
}

/**
 * A conversation in a terminal, until the person leaves or the process is told to end.
 *
 * @throws UsageError when the session cannot be opened; the terminal is as it was then.
 */
export async function chatInTerminal(input: TerminalChatInput): Promise<TerminalChatEnd> {
  const { theme } = input
  const left = Promise.withResolvers<void>()
  const leave = () => left.resolve()
  const stop = () => {
    if (work.state === 'running') work.stop()
  }
  const confirm = createConfirm((question, signal) => askPerson(screen, theme, question, signal), stop)
  const agent = await input.open(confirm, input.resume)
  /** Settled when the agent may be asked for something else than its first status. */
  let ready = Promise.resolve()
  const screen = createChatScreen({
    terminal: input.terminal,
    theme,
    commands: CHAT_COMMANDS,
    workspace: agent.facts.workspace,
    now: input.now,
    onSubmit: (text) => (isQuit(text) ? leave() : queue.add(text)),
    onInterrupt: (text) => interrupts.press(text),
    onEscape: stop,
    onEnd: () => (work.state === 'idle' ? leave() : screen.note(['Something runs: Ctrl-C stops it.'])),
    onKey: () => interrupts.reset() && showWaiting(screen, queue.waiting),
  })
  const work = createCurrentWork((what) => {
    interrupts.reset()
    screen.busy(what)
  })
  const interrupts = createInterrupts(screen, work, leave)
  const talk: Talk = { input, screen, work, confirm, leave, agent, status: undefined }
  const queue = createInputQueue({
    handle: (text) => ready.then(() => handle(talk, text)).finally(() => refresh(talk)),
    onChange: (texts) => showWaiting(screen, texts),
    giveBack: (texts) => screen.draft(texts.join('\n')),
  })

  input.onStart?.(screen)
  input.signal.addEventListener('abort', leave)
  try {
    screen.start()
    introduce(screen, agent, input.notice)
    ready = refresh(talk)
    for (const text of input.first) queue.add(text)
    if (input.signal.aborted) leave()
    await left.promise
    work.stop()
    return await end(talk, queue)
  } finally {
    screen.stop()
    input.signal.removeEventListener('abort', leave)
  }
}

/** @throws what the session could not be closed with. */
async function end(talk: Talk, queue: InputQueue): Promise<TerminalChatEnd> {
  const { patience } = talk.input
  await patiently(queue.close(), patience)
  const { agent } = talk
  const faults: unknown[] = []
  await patiently(
    agent.close().catch((error: unknown) => {
      faults.push(error)
    }),
    patience,
  )
  if (faults.length > 0) throw faults[0]
  return { id: agent.id, isResumable: agent.history.length > 0 }
}

/** Asks one question after the other. A question without an answer stops the work. */
function createConfirm(
  ask: (...question: Parameters<Confirm>) => Promise<Consent | undefined>,
  stop: () => void,
): Confirm {
  let questions: Promise<unknown> = Promise.resolve()
  return (...question) => {
    const answer = questions.then(async () => {
      const consent = await ask(...question)
      if (consent === undefined) stop()
      return consent ?? 'no'
    })
    questions = answer.catch(() => {})
    return answer
  }
}

/** Counts presses of Ctrl-C at an empty prompt, or while something does not stop. */
function createInterrupts(screen: ChatScreen, work: CurrentWork, leave: () => void) {
  let presses = 0
  return {
    press(text: string): void {
      if (work.state === 'running') work.stop()
      else if (work.state === 'idle' && text !== '') {
        presses = screen.discard(presses > 0) ? 0 : 1
        if (presses > 0) screen.note([TOO_LONG_TO_KEEP])
      } else if (presses > 0) leave()
      else {
        presses = 1
        screen.note([work.state === 'idle' ? 'Press Ctrl-C again to leave.' : STILL_STOPPING])
      }
    },
    /** Whether there were any. */
    reset(): boolean {
      const before = presses
      presses = 0
      return before > 0
    },
  }
}

function showWaiting(screen: ChatScreen, texts: readonly string[]): void {
  screen.note(texts.map((text) => `waits: ${text.slice(0, NOTE_LENGTH)}`))
}

/** False when it failed or was stopped. */
async function handle(talk: Talk, text: string): Promise<boolean> {
  const { screen, input } = talk
  const meant = readInput(text, CHAT_COMMANDS, input.services.exists)
  screen.said(text)
  if (meant.kind === 'message') return say(talk, text)
  if (meant.kind === 'command') return runCommand(talk, meant.command, meant.argument)
  const hint = meant.closest === undefined ? '/help lists them' : `did you mean /${meant.closest}?`
  screen.print(`There is no command /${meant.name}: ${hint}`, 'bad')
  return true
}

/** A text that was refused, and is in no record, goes back to where it was written. */
async function say(talk: Talk, text: string): Promise<boolean> {
  const { length } = talk.agent.history
  const isDone = await runTurn(talk, (options) => talk.agent.say(text, options))
  if (!isDone && talk.agent.history.length === length) talk.screen.draft(text)
  return isDone
}

function runTurn(talk: Talk, begin: (options: TurnOptions) => Promise<TurnEnd>): Promise<boolean> {
  const { screen, input } = talk
  return talk.work.run('working, Esc stops', async (signal) => {
    const view = createTurnView(screen, input.theme, (promptTokens) => {
      if (talk.status !== undefined)
        screen.footer.update({ ...talk.status, promptTokens }, talk.agent.costs())
    })
    try {
      const end = await begin({ signal, on: view.on })
      view.end(end)
      return end.reason === 'answered' || end.reason === 'cut-off' || end.reason === 'filtered'
    } catch (error) {
      view.fail(error, { isStopped: signal.aborted, hasQuestion: talk.agent.hasQuestion() })
      return false
    }
  })
}

function runCommand(talk: Talk, command: ChatCommand, argument: string): Promise<boolean> {
  return talk.work.run(`/${command.name}`, async (signal) => {
    let isDone = true
    const turn: CommandHost['turn'] = async (begin) => {
      isDone = await runTurn(talk, begin)
    }
    try {
      await command.run(argument, hostOf(talk, signal, turn))
      return isDone
    } catch (error) {
      if (signal.aborted) talk.screen.print(ENDS.stopped, 'dim')
      else talk.screen.print(failureLine(error), 'bad')
      return false
    }
  })
}

function hostOf(talk: Talk, signal: AbortSignal, turn: CommandHost['turn']): CommandHost {
  const { screen, input, leave } = talk
  return {
    ...input.services,
    get agent() {
      return talk.agent
    },
    commands: CHAT_COMMANDS,
    signal,
    turn,
    print: (text) => screen.print(text),
    choose: (title, choices, current) => screen.ask({ title, choices, current }, signal),
    draft: screen.draft,
    introduce: () => introduce(screen, talk.agent),
    resume: (id) => resume(talk, id),
    leave,
  }
}

async function resume(talk: Talk, id: string): Promise<void> {
  const { screen, input, confirm } = talk
  if (id === talk.agent.id) return screen.print('this is the session that is open')
  const { id: before, history } = talk.agent
  // The stores of a session belong to one agent at a time.
  await talk.agent.close()
  try {
    talk.agent = await input.open(confirm, id)
  } catch (error) {
    talk.agent = await input.open(confirm, history.length === 0 ? undefined : before)
    throw error
  }
  introduce(screen, talk.agent)
}

/** Brings the footer up to date. */
async function refresh(talk: Talk): Promise<void> {
  const { screen } = talk
  try {
    talk.status = await talk.agent.status()
    screen.footer.update(talk.status, talk.agent.costs())
    screen.redraw()
  } catch (error) {
    screen.print(failureLine(error), 'bad')
  }
}

/** Leaving does not wait for what runs. */
function isQuit(text: string): boolean {
  return text.trim().toLowerCase() === '/quit'
}
