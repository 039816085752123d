import { errorText } from '@palimpsest/core'
import type { ChatAgent, ChatEvent } from './chat-agent.ts'
import { describeCompaction, ENDS, failureLine, safeLine, safeText } from './text.ts'

/** Exit codes of a chat without a terminal. */
const EXIT_ANSWERED = 0
const EXIT_FAILED = 1
/** Characters of what a failed tool said. */
const RESULT_CHARACTERS = 300

interface PipeChatInput {
  readonly agent: ChatAgent
  readonly question: string
  /** One JSON object a line instead of texts. */
  readonly json: boolean
  /** About the choice of the model. */
  readonly notice: string | undefined
  readonly signal: AbortSignal
  /** Gets the answer, or the JSON lines. */
  out(text: string): void
  /** Whether `out` is a person's terminal, which must not obey what a model says. */
  readonly isShown: boolean
  /** Gets one line, without its end, for what else happens. */
  log(line: string): void
}

/** Answers one question without a person to ask. Returns the exit code: 0 answered, 1 stopped or failed. */
export function chatToPipe(input: PipeChatInput): Promise<number> {
  return input.json ? answerInJson(input) : answerInText(input)
}

async function answerInText(input: PipeChatInput): Promise<number> {
  const { agent, question, notice, signal, out, isShown, log } = input
  const { facts } = agent
  /** The first half of a character that takes two units. */
  let held = ''
  let last = ''
  let hasText = false
  const write = (piece: string) => {
    const text = held + piece
    held = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    last = text.slice(0, text.length - held.length) || last
    hasText ||= text !== ''
    if (text !== held) out(isShown ? safeText(last) : last)
  }
  const endLine = () => {
    if (last !== '' && !last.endsWith('\n')) out('\n')
    last = ''
  }
  log(`palimpsest: ${safeLine(facts.model)}, engine ${facts.engine}, session ${agent.id}`)
  const notes = [...(notice === undefined ? [] : [notice]), ...facts.warnings]
  for (const line of [facts.engineLine, facts.summaries, facts.caching, ...notes]) log(safeLine(line))
  const on = (event: ChatEvent) => {
    if (event.type === 'text') return write(event.text)
    // The next text stands behind a call, on a line of its own.
    if (event.type === 'tool-start') endLine()
    const line = lineOf(event)
    if (line !== undefined) log(safeLine(line))
  }
  try {
    const { reason, text } = await agent.say(question, { signal, on })
    // A model that does not stream says everything at the end.
    if (!hasText) write(text)
    endLine()
    if (reason === 'answered') return EXIT_ANSWERED
    log(`palimpsest: ${ENDS[reason]}`)
  } catch (error) {
    endLine()
    log(`palimpsest: ${signal.aborted ? ENDS.stopped : safeLine(failureLine(error))}`)
  }
  return EXIT_FAILED
}

function lineOf(event: Exclude<ChatEvent, { type: 'text' }>): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return `* ${event.name} ${event.summary}`
    case 'tool-end':
      return event.ok ? undefined : `* ${event.name} failed: ${event.result.slice(0, RESULT_CHARACTERS)}`
    case 'compaction':
      return describeCompaction(event.result)
    case 'warning':
      return event.warning.message
    case 'usage':
      return undefined
  }
}

/** Prints `start`, the events, and `end` or `error`. */
async function answerInJson({ agent, question, notice, signal, out }: PipeChatInput): Promise<number> {
  const session = agent.id
  const print = (object: object) => out(`${jsonLine(object)}\n`)
  print({ type: 'start', session, ...agent.facts, notice: notice ?? null })
  const on = (event: ChatEvent) => {
    if (event.type !== 'compaction') return print(event)
    const { messages, ...result } = event.result
    print({ ...event, result: { ...result, messages: messages.length } })
  }
  try {
    const end = await agent.say(question, { signal, on })
    print({ type: 'end', session, ...end, costs: agent.status().costs })
    return end.reason === 'answered' ? EXIT_ANSWERED : EXIT_FAILED
  } catch (error) {
    print({ type: 'error', session, message: errorText(error) })
    return EXIT_FAILED
  }
}

/** JSON leaves some control characters as they are, which a terminal would obey. */
function jsonLine(object: object): string {
  return JSON.stringify(object).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
