import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { AnswerArm } from '../../src/answers/answer-arms.ts'
import type { AnswersInput } from '../../src/answers/run-answers.ts'
import { toollessArm } from '../../src/arms/arm.ts'

export const messages: readonly Message[] = [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content: 'Which port?' },
  { role: 'assistant', content: 'Port 8080.' },
  { role: 'user', content: 'And the host?' },
  { role: 'assistant', content: 'localhost' },
]

const QUESTIONS = (['a', 'b', 'c', 'd', 'e'] as const).map((kind, index) => ({
  id: index + 1,
  kind,
  question: `Question ${kind}?`,
  answer: `gold ${kind}`,
  message: 2,
}))

/** Asks for one summary of all, and shows it. */
export const summarising: AnswerArm = {
  name: 'summarising',
  open: ({ model, ...input }) =>
    toollessArm({ name: '', description: '', kind: 'peer' }, () => async (transcript) => {
      const answer = await model?.complete({ system: 'Summarise.', prompt: `${transcript.length} messages` })
      return { messages: [{ role: 'user', content: answer?.text ?? '' }], compacted: true, warnings: [] }
    }).open({ ...input, budget: 0 }),
}

/** Shows the last messages, so many as it is told. */
export const lastOf = (count: number): AnswerArm => ({
  name: 'last',
  open: (input) =>
    toollessArm({ name: '', description: '', kind: 'peer' }, () => (transcript) => ({
      messages: transcript.slice(-count),
      compacted: true,
      warnings: [],
    })).open({ ...input, budget: 0 }),
})

export const folderWithQuestions = (): URL => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-answers-'))
  writeFileSync(join(folder, 'questions.json'), JSON.stringify(QUESTIONS))
  return pathToFileURL(`${folder}/`)
}

export const inputOf = (folder: URL, more: Partial<AnswersInput> = {}): AnswersInput => ({
  folder,
  messages,
  tokens: createTokenCounter(),
  progress: () => {},
  played: [summarising, lastOf(2)],
  ...more,
})

/** Answers to the written prompts of some arms, and marks: right, half right, then nothing. */
export function answerAll(to: URL, arms: readonly string[]): void {
  const marks: Record<string, object[]> = {}
  for (const arm of arms) {
    mkdirSync(new URL(`${arm}/`, to), { recursive: true })
    const given = QUESTIONS.map(({ id }) => ({ id, answer: `answer ${id}` }))
    writeFileSync(new URL(`${arm}/answers.json`, to), JSON.stringify(given))
    marks[arm] = QUESTIONS.map(({ id }) => ({ id, mark: [1, 0.5][id - 1] ?? 0, falsehood: id === 5 }))
  }
  writeFileSync(new URL('marks.json', to), JSON.stringify(marks))
}

/** A chat-completions server that counts its requests. */
export async function startModel() {
  const asked: unknown[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const { messages: sent } = JSON.parse(text)
    asked.push(sent)
    const message = { role: 'assistant', content: `Summary ${asked.length}` }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'r', object: 'chat.completion', model: 'bench', choices }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}
