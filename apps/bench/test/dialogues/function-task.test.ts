import { describe, expect, it } from 'vitest'
import {
  casesOf,
  type FunctionTask,
  type Item,
  signatureOf,
  solveTask,
} from '../../src/dialogues/dialogue.ts'
import { FUNCTION_TEMPLATES, type FunctionTemplate } from '../../src/dialogues/function-templates.ts'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { fillIn } from '../../src/dialogues/items.ts'

const dialogues = Array.from({ length: 12 }, (_, index) => generateDialogue({ seed: index + 1, turns: 50 }))
const tasks = dialogues.flatMap(({ topics }) => topics.map(({ task }) => task))

/** Whether a function of ours gives what it must. Nothing here was written by a model. */
function passes(task: FunctionTask, source: string): boolean {
  const call = new Function('input', `${source}\nreturn ${task.name}(...input)`)
  return casesOf(task).every(({ input, output }) => call(input) === output)
}

const taskOf = (template: FunctionTemplate, numbers: readonly number[]): FunctionTask => ({
  name: 'work',
  template,
  numbers: numbers.map(
    (value, index): Item => ({
      kind: 'function number',
      subject: ['voucher', template.numbers[index]?.[0] ?? ''],
      value: String(value),
      settledAt: 1,
    }),
  ),
})

describe('the functions of dialogues', () => {
  it('are right with the numbers that hold', () => {
    expect(tasks.length).toBeGreaterThan(20)
    for (const task of tasks) expect(passes(task, solveTask(task))).toBe(true)
  })

  it('are wrong with the numbers that were corrected away', () => {
    for (const task of tasks) {
      const stale = task.numbers.map(({ value, wrong }) => Number(wrong?.value ?? value))
      expect(passes(task, solveTask(task, stale))).toBe(false)
    }
  })

  it('never name a number in what is asked for', () => {
    for (const task of tasks)
      for (const { value } of task.numbers) expect(signatureOf(task)).not.toContain(value)
  })
})

describe.each(FUNCTION_TEMPLATES)('a function that gives $gives', (template) => {
  const numbers = [101, 4999, 2500, 700, 4998]

  it('is right with any numbers, and wrong with any other one in the place of one of them', () => {
    for (const a of numbers)
      for (const b of numbers)
        for (const c of numbers) {
          const task = taskOf(template, [a, b, c])
          expect(passes(task, solveTask(task))).toBe(true)
          for (const place of [0, 1, 2])
            for (const other of numbers) {
              const changed = [a, b, c].with(place, other)
              if (changed[place] === [a, b, c][place]) continue
              expect([changed, passes(task, solveTask(task, changed))]).toEqual([changed, false])
            }
        }
  })

  it('is told in sentences that name what they settle, and the topic', () => {
    for (const [about, says] of template.numbers) {
      const sentence = fillIn(says, { value: '1234', title: 'voucher import' }).toLowerCase()
      for (const part of [about, '1234', 'voucher import']) expect(sentence).toContain(part)
    }
  })
})
