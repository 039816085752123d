import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ContextEngine, errorText, type Message, type ToolSchema } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { assistant, longConversation, system, user } from '../harness/conversations.ts'
import { COSTLY_PATTERN, costlyText, longestBlock } from '../harness/costly-pattern.ts'
import type { Harness } from '../harness/create-harness.ts'
import { hostileArguments, schemaBreakers } from '../harness/hostile-arguments.ts'
import {
  argumentsOf,
  fittingArguments,
  namesOfType,
  switchPositions,
  type ToolArguments,
} from '../harness/tool-arguments.ts'

export const toolCases: readonly ContractCase[] = [
  contractCase('C58', 'describes its tools as providers require', ['tools'], async (harness) => {
    const engine = harness.create()
    const schemas = engine.toolSchemas()
    const names = schemas.map((schema) => schema.function.name)
    equal(new Set(names).size, names.length, `names of tools, each once: ${names.join(', ')}`)
    for (const schema of schemas) expectDescribed(schema)
    await engine.ingest({ messages: longConversation(), from: 0 })
    deepEqual(engine.toolSchemas(), schemas, 'the schemas of the tools, asked for again')
  }),
  contractCase('C59', 'answers every tool call with JSON text', ['tools'], async (harness) => {
    for (const engine of [harness.create(), await engineWith(harness, longConversation())])
      for (const [name, tool] of toolsOf(engine))
        for (const args of switchPositions(tool)) await answerOf(engine, name, args)
  }),
  contractCase('C60', 'answers a call of an unknown tool with an error', ['tools'], async (harness) => {
    const engine = await engineWith(harness, longConversation())
    const [known = ''] = [...toolsOf(engine).keys()]
    const names = ['no_such_tool', '', `${known} `, `${known}_`, '__proto__', 'constructor', 'toString']
    for (const name of names)
      expectError(await answerOf(engine, name, {}), `the tool ${JSON.stringify(name)}`)
  }),
  contractCase(
    'C61',
    'answers tool calls with wrong or hostile arguments with an error, and does not hang',
    ['tools'],
    async (harness) => {
      const engine = await engineWith(harness, longConversation())
      for (const [name, tool] of toolsOf(engine)) {
        for (const { fault, args } of schemaBreakers(tool))
          expectError(await answerOf(engine, name, args, fault), `${name} with ${fault}`)
        for (const { fault, args } of hostileArguments(tool)) await answerOf(engine, name, args, fault)
      }
      // Removed again, so that later checks are not affected.
      const isPolluted = Object.hasOwn(Object.prototype, 'polluted')
      Reflect.deleteProperty(Object.prototype, 'polluted')
      ok(!isPolluted, 'a key named __proto__ changed the prototype of all objects')
      await survivesPatterns(harness)
    },
  ),
  /** The contract has no limit for an answer, so the bound is one that fits no window, with a longer history. */
  contractCase(
    'C62',
    'limits the length of tool answers, and searches long messages to their end',
    ['tools'],
    async (harness) => {
      const engine = await engineWith(harness, longConversation({ turns: 300, resultCharacters: 4_000 }))
      for (const [name, tool] of toolsOf(engine))
        for (const args of switchPositions(tool)) {
          const { length } = await engine.handleToolCall(name, args)
          ok(length <= MOST_CHARACTERS, `${name}(${JSON.stringify(args)}) answered with ${length} characters`)
        }
      await searchesToTheEnd(harness)
    },
  ),
]

/** Larger than any window. The questions are about a history of 1.6 million characters. */
const MOST_CHARACTERS = 1_000_000
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** No call may block the process for longer, in milliseconds; most take less than one. */
const LONGEST_BLOCK = 1_000

async function engineWith(harness: Harness, messages: readonly Message[]): Promise<ContextEngine> {
  const engine = harness.create()
  await engine.ingest({ messages, from: 0 })
  return engine
}

function toolsOf(engine: ContextEngine): Map<string, ToolArguments> {
  return new Map(engine.toolSchemas().map((schema) => [schema.function.name, argumentsOf(schema)]))
}

async function answerOf(
  engine: ContextEngine,
  name: string,
  args: unknown,
  fault = shown(args),
): Promise<unknown> {
  let text: unknown
  try {
    text = await engine.handleToolCall(name, args)
  } catch (error) {
    throw new Error(`${name} with ${fault} failed, with "${errorText(error)}"; it should answer {"error": …}`)
  }
  try {
    return JSON.parse(text as string)
  } catch {
    throw new Error(`${name} with ${fault} answered ${shown(text)}, which is not JSON text`)
  }
}

function expectError(answer: unknown, what: string): void {
  const isError = typeof (answer as { error?: unknown } | null)?.error === 'string'
  ok(isError, `${what} should answer {"error": …} with a text, and answered ${shown(answer)}`)
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200)
}

function expectDescribed({ type, function: { name, parameters } }: ToolSchema): void {
  equal(type, 'function', `the type of the tool ${name}`)
  match(name, TOOL_NAME, 'the name of a tool')
  if (parameters === undefined) return
  deepEqual(JSON.parse(JSON.stringify(parameters)), parameters, `the parameters of ${name}, sent as JSON`)
  equal(parameters.type, 'object', `the type of the parameters of ${name}`)
  const { properties = {}, required = [] } = parameters
  const unknown = (required as string[]).filter((key) => !Object.hasOwn(properties as object, key))
  equal(unknown.join(', '), '', `arguments that ${name} requires and does not describe`)
}

async function survivesPatterns(harness: Harness): Promise<void> {
  const messages = [system(), user(costlyText()), assistant('That is a long word.'), user('Is it?')]
  const engine = await engineWith(harness, messages)
  for (const [name, tool] of toolsOf(engine))
    for (const key of namesOfType(tool, 'string'))
      for (const position of switchPositions(tool)) {
        const args = { ...position, [key]: COSTLY_PATTERN }
        const block = await longestBlock(() => answerOf(engine, name, args))
        const what = `${name}(${JSON.stringify(args)}) kept everything else from running for ${Math.round(block)} ms`
        ok(block < LONGEST_BLOCK, `${what}; search with a pattern in linear time, or with a limit`)
      }
}

/** If a tool finds a word in a short message, it must find it at the end of a long one. */
async function searchesToTheEnd(harness: Harness): Promise<void> {
  const long = `${'A line without anything to find. '.repeat(200)}The word is balsam.`
  const messages = [
    user('The word is abacus.'),
    assistant('Noted.'),
    user(long),
    assistant('Noted.'),
    user('So?'),
  ]
  const engine = await engineWith(harness, [system(), ...messages])
  for (const [name, tool] of toolsOf(engine))
    for (const key of namesOfType(tool, 'string')) {
      const answerTo = async (word: string) => {
        const answer = await engine.handleToolCall(name, { ...fittingArguments(tool), [key]: word })
        return answer.replaceAll(word, '')
      }
      const nothing = await answerTo('zinnia')
      if ((await answerTo('abacus')) === nothing) continue
      const found = `${name} finds the word ${key} names in a short message, and not at the end of one of ${long.length} characters`
      ok((await answerTo('balsam')) !== nothing, found)
    }
}
