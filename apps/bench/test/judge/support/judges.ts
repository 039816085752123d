import type { CompletionModel } from '@palimpsest/core'
import type { Verdict } from '../../../src/judge/ask-judge.ts'

interface WrittenFact {
  readonly fact: number
  readonly about: string
  readonly value: string | null
  readonly corrected?: string
}

const usage = { promptTokens: 500, completionTokens: 50, totalTokens: 550 }

function judgeOf(name: string, judge: (fact: WrittenFact, answer: string) => Verdict): CompletionModel {
  return {
    name,
    async complete({ prompt }) {
      if (prompt.includes('Match lines 1 to')) return { text: matchesIn(prompt), finishReason: 'stop', usage }
      const verdicts = factsIn(prompt).map((fact) => ({
        fact: fact.fact,
        verdict: judge(fact, blockIn(prompt, 'answer')),
      }))
      return { text: `\`\`\`json\n${JSON.stringify({ verdicts })}\n\`\`\``, finishReason: 'stop', usage }
    },
  }
}

/** Each line of a list with the fact that says the same, letter for letter but for the marks of code. */
export function matchesIn(prompt: string): string {
  const read = (tag: string): { text: string }[] =>
    blockIn(prompt, tag)
      .split('\n')
      .map((line) => JSON.parse(line))
  const facts = read('facts').map(({ text }) => text)
  const lines = read('answer').map(({ text }, index) => {
    const at = facts.indexOf(text.replaceAll('`', ''))
    return { line: index + 1, fact: at === -1 ? null : at + 1 }
  })
  return JSON.stringify({ lines })
}

/** Reads the line of the answer that speaks about a fact, letter for letter. */
export const strictJudge = judgeOf('strict', ({ about, value, corrected }, answer) => {
  const line = answer.split('\n').find((each) => each.includes(about)) ?? ''
  const notations = value === null ? [] : [value, Number(value).toLocaleString('en-US')]
  if (notations.some((notation) => line.includes(notation))) return 'holds'
  if (corrected !== undefined && line.includes(corrected)) return 'stale'
  return /`[^`]+`/.test(line) ? 'wrong' : 'not-stated'
})

/** Accepts everything. */
export const lenientJudge = judgeOf('lenient', () => 'holds')

/** Says nothing that can be read; keeps how often it was asked. */
export function babbler(text: string): CompletionModel & { readonly asked: number } {
  let asked = 0
  return {
    name: 'babbler',
    get asked() {
      return asked
    },
    async complete() {
      asked++
      return { text, finishReason: 'stop' }
    },
  }
}

function factsIn(prompt: string): WrittenFact[] {
  return blockIn(prompt, 'facts')
    .split('\n')
    .map((line): WrittenFact => JSON.parse(line))
}

/** What stands in the only block of this name. */
export function blockIn(prompt: string, tag: string): string {
  const blocks = [...prompt.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'g'))]
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks <${tag}>`)
  return blocks[0]?.[1] ?? ''
}
