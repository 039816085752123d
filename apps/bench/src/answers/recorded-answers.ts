import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

export const KINDS = ['a', 'b', 'c', 'd', 'e'] as const

const questionsSchema = z.array(
  z.object({
    id: z.int(),
    kind: z.enum(KINDS),
    question: z.string(),
    answer: z.string(),
    message: z.int(),
  }),
)

export type Questions = z.infer<typeof questionsSchema>

const mark = z.union([z.literal(0), z.literal(0.5), z.literal(1)])

const recordedSchema = z.object({
  arm: z.string(),
  promptSha256: z.string(),
  tokens: z.int(),
  recorded: z.string(),
  by: z.string(),
  answers: z.array(z.object({ id: z.int(), answer: z.string(), mark, falsehood: z.boolean() })),
})

export type RecordedAnswers = z.infer<typeof recordedSchema>

const answersSchema = z.array(z.object({ id: z.int(), answer: z.string() }))
const marksSchema = z.record(
  z.string(),
  z.array(z.object({ id: z.int(), mark, falsehood: z.boolean().default(false) })),
)

export interface AnswerFolders {
  readonly folder: URL
  readonly shipped?: URL | undefined
}

export function placeOf({ folder, shipped }: AnswerFolders, file: string): URL {
  const place = shipped && new URL(file, shipped)
  return place !== undefined && existsSync(place) ? place : new URL(file, folder)
}

const readAs = async <T>(file: URL, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(JSON.parse(await readFile(file, 'utf8')))

export const readQuestions = (folders: AnswerFolders): Promise<Questions> =>
  readAs(placeOf(folders, 'questions.json'), questionsSchema)

export async function readRecorded(
  folders: AnswerFolders,
  arm: string,
): Promise<RecordedAnswers | undefined> {
  const text = await readFile(placeOf(folders, `${arm}.json`), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : recordedSchema.parse(JSON.parse(text))
}

export const readMarks = (folder: URL) => readAs(new URL('marks.json', folder), marksSchema)

export type Marks = Awaited<ReturnType<typeof readMarks>>[string]

export async function readAnswers(folder: URL, arm: string, marks: Marks, questions: Questions) {
  const given = await readAs(new URL(`${arm}/answers.json`, folder), answersSchema)
  return questions.map(({ id }) => {
    const answer = given.find((each) => each.id === id)
    const marked = marks.find((each) => each.id === id)
    if (answer === undefined || marked === undefined)
      throw new Error(
        `${arm}: question ${id} has no ${answer === undefined ? 'answer' : 'mark'}; add it to the file`,
      )
    return { id, answer: answer.answer, mark: marked.mark, falsehood: marked.falsehood }
  })
}
