import type { Message } from '@palimpsest/core'
import data from '../../../data/values.json' with { type: 'json' }
import { functionCall } from '../../workload/conversation.ts'
import {
  createRandom,
  createVocabulary,
  type Random,
  shuffle,
  type Vocabulary,
} from '../../workload/vocabulary.ts'

type Way = 'state' | 'accept' | 'answer' | 'change' | 'revert' | 'withdraw' | 'confirm'

/**
 * In phrases `{s}` is the subject, `{v}` the value that holds then, `{o}` the one before. They are written without knowledge of
 * any extractor. An `aside` mentions a value that does not hold any more, and decides nothing.
 */
export const PHRASES = data.phrases

type PhraseKind = keyof typeof PHRASES

export interface Subject {
  /** As users say it behind "the". */
  readonly name: string
  /** A word that begins with one of these tells a reader what a value near it is of. Work between statements has none. */
  readonly words: readonly string[]
  readonly values: readonly string[]
}

export const SUBJECTS: readonly Subject[] = data.subjects

/** A message of the user that says which value a subject has. */
export interface Statement {
  readonly subject: Subject
  readonly way: Way
  /** The value that holds from here on; absent when it was taken back and none took its place. */
  readonly value?: string
  readonly sentence: string
  readonly at: number
}

type ValueDialogue = { readonly messages: readonly Message[]; readonly statements: readonly Statement[] }

interface Plan {
  readonly subject: Subject
  readonly way: Way | 'aside'
  readonly value?: string | undefined
  readonly old?: string | undefined
}

const SUBJECTS_TALKED_OF = 16
/** Fates of a value, one for each subject in turn. */
const STORIES = data.stories as readonly (readonly Way[])[]
/** Whether a value that is over is mentioned once more. */
const ASIDE_SHARE = 0.5
/** Whether a statement is all that its message says. */
const ALONE_SHARE = 0.5
/** Turns without a statement, for each turn with one. */
const WORK_SHARE = 0.6

/** A user gives subjects values, changes them, takes them back and confirms them, with work between: about 110,000 tokens. */
export function generateValueDialogue(seed: number): ValueDialogue {
  const random = createRandom(seed)
  const work = createWork(random, createVocabulary(random, 4_000))
  const stories = shuffle(STORIES, random)
  const plans = shuffle(SUBJECTS, random)
    .slice(0, SUBJECTS_TALKED_OF)
    .flatMap((subject, index) =>
      scheduled(planStory(subject, stories[index % stories.length] ?? [], random), random),
    )
    .sort((one, other) => one.time - other.time)
  const dialogue = new Writer(work, random)
  dialogue.work()
  for (const { plan } of plans) {
    dialogue.say(plan)
    if (random.next() < WORK_SHARE) dialogue.work()
  }
  // The last statements get behind a compaction too.
  for (let turns = 0; turns < 6; turns++) dialogue.work()
  return dialogue
}

function scheduled(plans: readonly Plan[], random: Random): { readonly plan: Plan; readonly time: number }[] {
  const times = plans.map(() => random.next()).sort((one, other) => one - other)
  return plans.map((plan, index) => ({ plan, time: times[index] ?? 0 }))
}

function planStory(subject: Subject, story: readonly Way[], random: Random): Plan[] {
  const values = shuffle(subject.values, random)
  const plans: Plan[] = []
  const held: (string | undefined)[] = []
  for (const way of story) {
    const old = held.at(-1)
    if (way === 'answer') plans.push({ subject, way, old: values.pop(), value: values.pop() })
    else if (way === 'revert') plans.push({ subject, way, old, value: held.at(-2) })
    else if (way === 'withdraw') plans.push({ subject, way, old })
    else if (way === 'confirm') plans.push({ subject, way, value: old })
    else plans.push({ subject, way, old, value: values.pop() })
    held.push(plans.at(-1)?.value)
    const isOver = way === 'change' || way === 'revert' || way === 'withdraw'
    if (isOver && random.next() < ASIDE_SHARE) plans.push({ subject, way: 'aside', old })
  }
  return plans
}

class Writer implements ValueDialogue {
  readonly messages: Message[] = [
    { role: 'system', content: 'You are a coding agent. You read, edit and run code with tools.' },
  ]
  readonly statements: Statement[] = []
  readonly #work: Work
  readonly #random: Random

  constructor(work: Work, random: Random) {
    this.#work = work
    this.#random = random
  }

  work(): void {
    this.messages.push({ role: 'user', content: this.#work.request() })
    this.#finish(this.#work.rounds(), this.#work.answer())
  }

  say(plan: Plan): void {
    const { subject, way, value } = plan
    if (way === 'accept') this.#offer(this.#phrase('offer', plan))
    if (way === 'answer') this.#offer(this.#phrase('offer', { ...plan, value: plan.old }))
    const sentence = this.#phrase(way, plan)
    if (way !== 'aside')
      this.statements.push({
        ...{ subject, way, sentence, at: this.messages.length },
        ...(value !== undefined && { value }),
      })
    this.messages.push({ role: 'user', content: this.#message(sentence, way) })
    const rounds = this.#random.next() < 0.5 ? this.#work.rounds() : []
    this.#finish(rounds, way === 'aside' ? this.#work.answer() : this.#acknowledge(plan))
  }

  /** A sentence on its own, or in the middle of other things; what answers a question comes first. */
  #message(sentence: string, way: Plan['way']): string {
    if (this.#random.next() < ALONE_SHARE) return sentence
    const isAnswer = way === 'accept' || way === 'answer'
    const before = !isAnswer && this.#random.next() < 0.6 ? [this.#work.request()] : []
    const after = this.#random.next() < 0.6 ? [this.#work.request()] : []
    return [...before, sentence, ...after].join(this.#random.pick(['. ', '\n', ' - ']))
  }

  #finish(rounds: readonly Message[], answer: string): void {
    this.messages.push(...rounds, { role: 'assistant', content: answer })
  }

  /** Ends the assistant's last message with a question. */
  #offer(question: string): void {
    const last = this.messages.pop()
    const said = typeof last?.content === 'string' ? last.content : ''
    this.messages.push({ role: 'assistant', content: `${said} ${question}` })
  }

  #acknowledge(plan: Plan): string {
    const phrases = PHRASES.done.filter((phrase) => plan.value !== undefined || !phrase.includes('{v}'))
    return fill(this.#random.pick(phrases), plan)
  }

  #phrase(kind: PhraseKind, plan: Plan): string {
    return fill(this.#random.pick(PHRASES[kind]), plan)
  }
}

const fill = (phrase: string, { subject, value = '', old = '' }: Plan): string =>
  phrase.replaceAll('{s}', subject.name).replaceAll('{v}', value).replaceAll('{o}', old)

/** Lines of a tool's output: the median, the factor of one standard deviation, and the most. */
const LINES = { median: 24, spread: 2.4, most: 300 }
const ROUNDS = [1, 4] as const

/** Work of a coding agent that gives nothing a value: requests, calls with large outputs, answers. */
export type Work = ReturnType<typeof createWork>

/** Work with names of a vocabulary; ids of calls are counted. Numbers are below 100. */
export function createWork(random: Random, vocabulary: Vocabulary) {
  const made: Readonly<Record<string, () => string>> = {
    name: vocabulary.identifier,
    path: vocabulary.path,
    number: () => String(random.int(1, 99)),
  }
  const say = (text: string): string =>
    text.replace(/\{(name|path|number)\}/g, (_, kind) => made[kind]?.() ?? '')
  let calls = 0

  const round = (): Message[] => {
    const { name, input } = random.pick(data.work.tools)
    const entries = Object.entries(input).map(([key, text]) => [key, say(text)])
    const call = functionCall(`call_${++calls}`, name, Object.fromEntries(entries))
    const lines = Math.min(LINES.most, Math.round(random.logNormal(LINES.median, LINES.spread)))
    // A file, a listing or a log, not all of them mixed.
    const shapes = Array.from({ length: 3 }, () => random.pick(data.work.lines))
    const content = Array.from({ length: Math.max(1, lines) }, () => say(random.pick(shapes))).join('\n')
    return [
      { role: 'assistant', content: say('I look at {name}.'), tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content },
    ]
  }
  return {
    request: (): string => say(random.pick(data.work.requests)),
    rounds: (): Message[] => Array.from({ length: random.int(...ROUNDS) }, round).flat(),
    answer: (): string => say(random.pick(data.work.answers)),
  }
}
