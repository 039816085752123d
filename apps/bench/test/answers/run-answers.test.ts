import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type AnswersReport, runAnswers } from '../../src/answers/run-answers.ts'
import { answerAll, folderWithQuestions, inputOf, lastOf, startModel, summarising } from './fixtures.ts'

const armOf = ({ arms }: AnswersReport, name: string) => arms.find(({ arm }) => arm === name)
const read = (folder: URL, file: string) => readFileSync(new URL(file, folder), 'utf8')

/** Everything recorded: the summaries by a model, then answers and marks. */
async function recordAll() {
  const [folder, asked] = [folderWithQuestions(), folderWithQuestions()]
  const model = await startModel()
  await runAnswers(inputOf(folder, { baseUrl: model.baseUrl, prompts: asked }))
  model.close()
  answerAll(asked, ['whole', 'summarising', 'last', 'tail'])
  const report = await runAnswers(
    inputOf(folder, { import: { from: asked, by: 'tests', date: '2026-01-02' } }),
  )
  return { folder, asked, model, report }
}

describe('bench answers', () => {
  it('without anything recorded says so for each arm, and which has no summaries', async () => {
    const report = await runAnswers(inputOf(folderWithQuestions()))
    expect(report.arms.map(({ arm, state }) => [arm, state])).toEqual([
      ['whole', 'not recorded'],
      ['summarising', 'stale: a summary is not recorded'],
      ['last', 'not recorded'],
      ['tail', 'not recorded'],
      ['thirty-lines', 'not recorded'],
    ])
    expect(armOf(report, 'summarising')).not.toHaveProperty('tokens')
  })

  it('records each summary once, with the system prompt, and asks for none that is recorded', async () => {
    const { folder, model } = await recordAll()
    // Before two answers, and for the closing question.
    expect(model.asked).toEqual(
      [2, 4, 6].map((length) => [
        { role: 'system', content: 'Summarise.' },
        { role: 'user', content: `${length} messages` },
      ]),
    )
    const again = await startModel()
    await runAnswers(inputOf(folder, { baseUrl: again.baseUrl }))
    again.close()
    expect(again.asked).toEqual([])
    const lines = read(folder, 'completions.jsonl').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { arm: 'summarising', text: 'Summary 1' },
      { arm: 'summarising', text: 'Summary 2' },
      { arm: 'summarising', text: 'Summary 3' },
    ])
  })

  it('asks for the named arms alone', async () => {
    const folder = folderWithQuestions()
    const model = await startModel()
    await runAnswers(inputOf(folder, { baseUrl: model.baseUrl, arms: ['last'] }))
    model.close()
    expect(model.asked).toEqual([])
  })

  it('writes prompts as text, and the questions without their answers', async () => {
    const { asked } = await recordAll()
    expect(read(asked, 'summarising/arm.txt')).toBe('--- user\nSummary 3')
    expect(read(asked, 'whole/arm.txt')).toMatch(
      /^--- system\nYou are a coding agent\.\n--- user\nWhich port\?\n[\s\S]*Before we go on/,
    )
    expect(JSON.parse(read(asked, 'questions.json'))[0]).toEqual({ id: 1, question: 'Question a?' })
  })

  it('imports answers with their marks, and scores them', async () => {
    const { folder, report } = await recordAll()
    for (const arm of ['whole', 'summarising', 'last', 'tail'])
      expect(armOf(report, arm)).toMatchObject({
        state: 'current',
        recorded: '2026-01-02',
        by: 'tests',
        score: { right: 1.5, kinds: [1, 0.5, 0, 0, 0], falsehoods: 1 },
      })
    expect(armOf(report, 'thirty-lines')).toMatchObject({ state: 'not recorded' })
    const recorded = JSON.parse(read(folder, 'last.json'))
    expect(recorded).toMatchObject({ arm: 'last', promptSha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(recorded.answers[1]).toEqual({ id: 2, answer: 'answer 2', mark: 0.5, falsehood: false })
  })

  it('scores no answers to another prompt, and no arm with a request that is not recorded', async () => {
    const { folder } = await recordAll()
    const played = [summarising, lastOf(3)]
    const changed = await runAnswers(inputOf(folder, { played }))
    expect(armOf(changed, 'last')).toMatchObject({ state: 'stale: another prompt' })
    expect(armOf(changed, 'last')).not.toHaveProperty('score')
    expect(armOf(changed, 'summarising')).toMatchObject({ state: 'current' })
    // Bounds keep the size that they were answered with.
    expect(armOf(changed, 'tail')).toMatchObject({ state: 'current' })
    const [first = ''] = read(folder, 'completions.jsonl').split('\n')
    writeFileSync(new URL('completions.jsonl', folder), `${first}\n`)
    const unknown = await runAnswers(inputOf(folder))
    expect(armOf(unknown, 'summarising')).toMatchObject({ state: 'stale: a summary is not recorded' })
    expect(armOf(unknown, 'summarising')).not.toHaveProperty('score')
  })

  it('imports nothing when an answer or a mark is missing, or the prompt was another one', async () => {
    const { folder, asked } = await recordAll()
    const from = { from: asked, by: 'tests', date: '2026-01-03' }
    const before = read(folder, 'last.json')
    const importing = (played = [summarising, lastOf(2)]) =>
      runAnswers(inputOf(folder, { played, import: from }))
    await expect(importing([summarising, lastOf(3)])).rejects.toThrow('last was answered from another prompt')
    writeFileSync(new URL('tail/answers.json', asked), JSON.stringify([{ id: 1, answer: 'one' }]))
    await expect(importing()).rejects.toThrow('tail: question 2 has no answer')
    expect(read(folder, 'last.json')).toBe(before)
  })
})
