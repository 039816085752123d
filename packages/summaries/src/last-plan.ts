import { type Message, toolCallsOf } from '@palimpsest/core'
import { clip, oneLine } from './text.ts'
import { readToolCall } from './tools/tool-arguments.ts'

const PLAN_TOOL = /^(?:todo_?write|write_?todos|update_?(?:plan|todos)|exit_?plan_?mode|todo|plan)$/i
const LISTS = ['todos', 'plan', 'items', 'tasks', 'steps']
const STEPS = ['content', 'step', 'text', 'title', 'description', 'task']
const MARKS: Readonly<Record<string, string>> = { completed: 'x', done: 'x', in_progress: '>' }
const MOST_STEPS = 40
const MOST_OF_STEP = 200

export function lastPlan(messages: readonly Message[], before: readonly string[]): readonly string[] {
  const plans = messages.flatMap(toolCallsOf).flatMap((call) => {
    const { name, members } = readToolCall(call)
    const steps = PLAN_TOOL.test(name) ? LISTS.flatMap((key) => stepsOf(members[key])) : []
    return steps.length === 0 ? [] : [steps.slice(0, MOST_STEPS)]
  })
  return plans.at(-1) ?? before
}

function stepsOf(list: unknown): string[] {
  const steps = typeof list === 'string' ? list.split('\n') : Array.isArray(list) ? list : []
  return steps.flatMap((step: unknown) => {
    if (typeof step === 'string') return lineOf(step.replace(/^\s*(?:[-*•]|#+|\d{1,3}[.)])\s+/, ''))
    if (typeof step !== 'object' || step === null) return []
    const members = step as Readonly<Record<string, unknown>>
    const text = STEPS.map((key) => members[key]).find((value) => typeof value === 'string')
    return lineOf(String(text ?? ''), MARKS[String(members.status)] ?? ' ')
  })
}

function lineOf(step: string, mark?: string): string[] {
  const text = oneLine(clip(step, MOST_OF_STEP))
  return text === '' ? [] : [mark === undefined ? text : `[${mark}] ${text}`]
}
