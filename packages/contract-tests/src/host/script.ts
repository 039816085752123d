import { type AssistantMessage, type FunctionToolCall, type Message, messageText } from '@palimpsest/core'

export const ENGINE_TOOL = 'suite_recall'
export const HOST_TOOL = 'look_up'
export const STALL = 'stall'

/** A question and its course: the model plays a script that the question itself contains. */
export interface ScriptedTurn {
  readonly talk: string
  readonly turn: number
  /** Rounds of calls, such as `look_up, look_up+suite_recall`: two rounds, the second with two calls. May be empty. */
  readonly plan: string
}

export interface ScriptPlace extends ScriptedTurn {
  readonly round: number
}

const DIRECTIVE = /\[(\w+) (\d+): ([\w+, ]*)\]/g
const FILLER = 'the ledger counts in cents and rounds half up '

const filler = (characters: number) => FILLER.repeat(Math.ceil(characters / FILLER.length)).trim()

/** Plain ASCII without quotes, so that a JSON text contains it unchanged. */
export function questionText({ talk, turn, plan }: ScriptedTurn): string {
  return `Question ${turn} of ${talk}: ${filler(400)}? [${talk} ${turn}: ${plan}]`
}

export function answerText({ talk, turn }: ScriptedTurn): string {
  return `Answer ${turn} of ${talk}: ${filler(200)}.`
}

/** A thousand tokens, which soon fill a window. */
export function foundText(subject: string): string {
  return `Found for ${subject}: ${filler(4_000)}.`
}

export function recalledText(subject: string): string {
  return JSON.stringify(`Recalled for ${subject}.`)
}

function roundsOf({ talk, turn, plan }: ScriptedTurn): FunctionToolCall[][] {
  const rounds = plan.split(',').map((names) => names.trim())
  return rounds
    .filter((names) => names !== '')
    .map((names, round) =>
      names.split('+').map((name, index) => ({
        // Only letters and digits, as the strictest services require: hosts rewrite other ids.
        id: `call${talk}${turn}x${round}x${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify({ subject: `${talk} ${turn}.${round}.${index}` }) },
      })),
    )
}

export function subjectOf(call: FunctionToolCall): string {
  return (JSON.parse(call.function.arguments) as { readonly subject: string }).subject
}

export function transcriptOf(turns: readonly ScriptedTurn[]): Message[] {
  return turns.flatMap((turn) => [
    { role: 'user' as const, content: questionText(turn) },
    ...roundsOf(turn).flatMap(roundMessages),
    { role: 'assistant' as const, content: answerText(turn) },
  ])
}

function roundMessages(calls: FunctionToolCall[]): Message[] {
  return [
    { role: 'assistant', content: null, tool_calls: calls },
    ...calls.map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: (call.function.name === ENGINE_TOOL ? recalledText : foundText)(subjectOf(call)),
    })),
  ]
}

export function transcriptUpTo(turns: readonly ScriptedTurn[], { turn, round }: ScriptPlace): Message[] {
  const current = turns.find((one) => one.turn === turn)
  if (current === undefined) throw new Error(`no question has the number ${turn}`)
  const before = transcriptOf(turns.filter((one) => one.turn < turn))
  const rounds = roundsOf(current).slice(0, round).flatMap(roundMessages)
  return [...before, { role: 'user', content: questionText(current) }, ...rounds]
}

/**
 * Reads the question in a message, whatever a host wrote around it. If an earlier question went unanswered, the last
 * one counts.
 */
export function questionOf(message: Message | undefined): ScriptedTurn | undefined {
  if (message?.role !== 'user') return undefined
  const [, talk, turn, plan] = [...messageText(message).matchAll(DIRECTIVE)].at(-1) ?? []
  if (talk === undefined || plan === undefined) return undefined
  return { talk, turn: Number(turn), plan }
}

export function placeOf(messages: readonly Message[]): ScriptPlace | undefined {
  const at = messages.findLastIndex((message) => questionOf(message) !== undefined)
  const question = questionOf(messages[at])
  if (question === undefined) return undefined
  return { ...question, round: messages.slice(at).filter(({ role }) => role === 'assistant').length }
}

/** An answer with thinking before it, in the field that most services use. */
export interface ScriptedAnswer extends AssistantMessage {
  readonly content: string | null
  readonly reasoning: string
}

export const THOUGHT = 'A thought about'

export function scriptedAnswer(messages: readonly Message[]): ScriptedAnswer | typeof STALL {
  const role = 'assistant'
  const place = placeOf(messages)
  if (place === undefined)
    return { role, content: 'There is no question of the suite.', reasoning: `${THOUGHT} nothing.` }
  const reasoning = `${THOUGHT} question ${place.turn} of ${place.talk}, round ${place.round}.`
  const calls = roundsOf(place)[place.round]
  if (calls === undefined) return { role, content: answerText(place), reasoning }
  if (calls.some((call) => call.function.name === STALL)) return STALL
  return { role, content: null, reasoning, tool_calls: calls }
}
