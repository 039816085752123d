import type { FunctionTask, Item } from './dialogue.ts'
import type { FunctionCase } from './function-templates.ts'

/** The function as it is asked for, without a word on the numbers. */
export function signatureOf({ name, template: { parameters, gives } }: FunctionTask): string {
  return `\`${name}(${parameters})\`, which gives ${gives}`
}

/** The function in JavaScript, with its numbers as they hold, or with others in their place. */
export function solveTask({ name, template, numbers }: FunctionTask, values = valuesOf(numbers)): string {
  return `function ${name}(${template.parameters}) {\n  return ${template.solution(threeOf(values))}\n}`
}

/** The tests. */
export function casesOf({ template, numbers }: FunctionTask): readonly FunctionCase[] {
  return template.cases(threeOf(valuesOf(numbers)))
}

const valuesOf = (numbers: readonly Item[]): number[] => numbers.map(({ value }) => Number(value))

const threeOf = ([a = Number.NaN, b = Number.NaN, c = Number.NaN]: readonly number[]) => [a, b, c] as const
