import type { Message, ToolCall } from '@palimpsest/core'
import type { Random } from '../../workload/random.ts'
import type { Vocabulary } from '../../workload/vocabulary.ts'

/** Lines of a tool's output: the median, the factor of one standard deviation, and the most. */
const LINES = { median: 24, spread: 2.4, most: 300 }
const ROUNDS = [1, 4] as const

/** Work of a coding agent that gives nothing a value: requests, calls with large outputs, answers. */
export type Work = ReturnType<typeof createWork>

/** Work with names of a vocabulary; ids of calls are counted. Numbers are below 100. */
export function createWork(random: Random, vocabulary: Vocabulary) {
  const name = (): string => vocabulary.identifier()
  const path = (): string => vocabulary.path()
  const number = (): number => random.int(1, 99)
  let calls = 0

  const LINE: readonly (() => string)[] = [
    () => `const ${name()} = ${name()}(${name()}, ${number()})`,
    () => `  if (${name()}.${name()} !== undefined) return ${name()}`,
    () => `import { ${name()} } from './${name()}.ts'`,
    () => `export function ${name()}(${name()}: string): void {`,
    () => `  for (const each of ${name()}) ${name()}.push(each.${name()})`,
    () => `[${number()}:${number()}] ${name()} finished after ${number()} s`,
    () => ` ✓ ${name()} handles ${name()} (${number()} s)`,
    () => `${path()}:${number()}: ${name()}(${name()})`,
    () => `-  ${name()}.${name()}()\n+  await ${name()}.${name()}()`,
    () => `WARN ${name()}: ${name()} is slow`,
  ]
  const TOOLS: readonly (() => readonly [string, object])[] = [
    () => ['read_file', { path: path() }],
    () => ['grep', { pattern: name(), path: 'src' }],
    () => ['bash', { command: `npx vitest run ${path()}` }],
    () => ['edit', { path: path(), old: name(), new: name() }],
  ]
  const REQUESTS: readonly (() => string)[] = [
    () => `why does ${name()} throw in ${path()}?`,
    () => `please clean up ${path()}, it has become hard to read`,
    () => `the test for ${name()} fails on my machine, have a look`,
    () => `split ${name()} into two functions`,
    () => `where is ${name()} called from?`,
    () => `${name()} is slow, profile it`,
    () => `add a test for ${name()} in ${path()}`,
    () => `what does ${name()} do with an empty list?`,
  ]
  const ANSWERS: readonly (() => string)[] = [
    () => `${name()} was called with an empty ${name()}; I fixed ${path()} and the tests pass.`,
    () => `I moved ${name()} to ${path()} and simplified ${name()}.`,
    () => `It is called from ${path()} and ${path()}, both through ${name()}.`,
    () => `The slow part is ${name()}: it walks ${name()} twice. One walk is enough now.`,
    () => `There was no test for ${name()}. I added one for ${name()} as well.`,
  ]

  const round = (): Message[] => {
    const [tool, input] = random.pick(TOOLS)()
    const id = `call_${++calls}`
    const call: ToolCall = {
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    }
    const lines = Math.min(LINES.most, Math.round(random.logNormal(LINES.median, LINES.spread)))
    // A file, a listing or a log, not all of them mixed.
    const shapes = [random.pick(LINE), random.pick(LINE), random.pick(LINE)]
    const content = Array.from({ length: Math.max(1, lines) }, () => random.pick(shapes)()).join('\n')
    return [
      { role: 'assistant', content: `I look at ${name()}.`, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content },
    ]
  }
  return {
    request: (): string => random.pick(REQUESTS)(),
    rounds: (): Message[] => Array.from({ length: random.int(...ROUNDS) }, round).flat(),
    answer: (): string => random.pick(ANSWERS)(),
  }
}
