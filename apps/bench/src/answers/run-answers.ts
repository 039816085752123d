import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Message, TokenCounter } from '@palimpsest/core'
import { chooseArms } from '../commands/options.ts'
import { UsageError } from '../commands/usage-error.ts'
import type { Progress } from '../progress.ts'
import { type AnswerArm, BOUNDS, PLAYED, WHOLE } from './answer-arms.ts'
import { readCompletions } from './completions.ts'
import { type Made, makePrompts } from './make-prompts.ts'
import { recordCompletions } from './record-completions.ts'
import {
  type AnswerFolders,
  placeOf,
  type Questions,
  type RecordedAnswers,
  readAnswers,
  readMarks,
  readQuestions,
  readRecorded,
} from './recorded-answers.ts'
import { type ArmScore, scoreArm } from './score-answers.ts'

export interface AnswersInput extends AnswerFolders {
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  readonly progress: Progress
  readonly played?: readonly AnswerArm[]
  readonly arms?: readonly string[] | undefined
  readonly baseUrl?: string | undefined
  readonly prompts?: URL | undefined
  readonly import?: { readonly from: URL; readonly by: string; readonly date: string } | undefined
}

export type AnswersReport = Awaited<ReturnType<typeof runAnswers>>

export async function runAnswers(input: AnswersInput) {
  const { folder, shipped, played = PLAYED, baseUrl, ...rest } = input
  const folders = { folder, shipped }
  const names = [WHOLE, ...played.map(({ name }) => name), ...Object.keys(BOUNDS)]
  const chosen = chooseArms(names.map(toName), input.arms, '--arm').map(({ name }) => name)
  const questions = await readQuestions(folders)
  const file = new URL('completions.jsonl', folder)
  const completions = await readCompletions(file)
  if (baseUrl !== undefined) {
    const arms = played.filter(({ name }) => chosen.includes(name))
    await recordCompletions({ ...rest, arms, completions, file, baseUrl })
  }
  const prompts = await makePrompts({ ...rest, played, completions })
  if (input.prompts !== undefined) await writePrompts(input.prompts, { chosen, prompts, questions })
  if (input.import !== undefined)
    await importAnswers({ ...input.import, folders, chosen, prompts, questions })
  const arms: ArmScore[] = []
  for (const [arm, made] of prompts)
    arms.push(scoreArm({ arm, made, recorded: await readRecorded(folders, arm), questions }))
  return { questions: questions.length, arms }
}

const toName = (name: string) => ({ name })

interface Chosen {
  readonly chosen: readonly string[]
  readonly prompts: ReadonlyMap<string, Made>
  readonly questions: Questions
}

async function writePrompts(to: URL, { chosen, prompts, questions }: Chosen): Promise<void> {
  await mkdir(to, { recursive: true })
  const asked = questions.map(({ id, question }) => ({ id, question }))
  await writeFile(new URL('questions.json', to), `${JSON.stringify(asked, null, 2)}\n`)
  for (const arm of chosen) {
    const made = prompts.get(arm)
    if (made === undefined || 'unknown' in made) continue
    await mkdir(new URL(`${arm}/`, to), { recursive: true })
    await writeFile(promptFile(to, arm), made.text)
  }
}

const promptFile = (folder: URL, arm: string): URL => new URL(`${arm}/arm.txt`, folder)

interface ImportInput extends Chosen {
  readonly from: URL
  readonly folders: AnswerFolders
  readonly by: string
  readonly date: string
}

/** Reads every arm with marks before writing one. @throws UsageError for answers to an outdated prompt. */
async function importAnswers({ from, folders, by, date, ...input }: ImportInput): Promise<void> {
  const { chosen, prompts, questions } = input
  const marks = await readMarks(from)
  const recorded: RecordedAnswers[] = []
  for (const arm of chosen) {
    const marked = marks[arm]
    if (marked === undefined) continue
    const made = prompts.get(arm)
    if (made === undefined || 'unknown' in made)
      throw new UsageError(
        `--import: ${arm} has no prompt: not all of its summaries are recorded; record them with --base-url`,
      )
    if ((await readFile(promptFile(from, arm), 'utf8')) !== made.text)
      throw new UsageError(`--import: ${arm} was answered from another prompt; write the prompts anew`)
    recorded.push({
      arm,
      promptSha256: made.sha256,
      tokens: made.tokens,
      recorded: date,
      by,
      answers: await readAnswers(from, arm, marked, questions),
    })
  }
  for (const each of recorded)
    await writeFile(placeOf(folders, `${each.arm}.json`), `${JSON.stringify(each, null, 2)}\n`)
}
