import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ContextEngine, errorText, type Message, type ToolSchema } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { assistant, longConversation, system, user } from '../harness/conversations.ts'
import { COSTLY_PATTERN, costlyText, longestBlock } from '../harness/costly-pattern.ts'
import type { Harness } from '../harness/create-harness.ts'
import { eachInput } from '../harness/each-input.ts'
import { hostileArguments, schemaBreakers } from '../harness/hostile-arguments.ts'
import {
  type Arguments,
  argumentsOf,
  fittingArguments,
  namesOfType,
  switchPositions,
  type ToolArguments,
} from '../harness/tool-arguments.ts'

/** The tools that an engine gives to the model. Models write anything into their arguments. */
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
  contractCase('C59', 'answers each call of a tool with JSON text', ['tools'], async (harness) => {
    const fresh = harness.create()
    for (const [name, tool] of toolsOf(fresh))
      for (const args of switchPositions(tool)) await answerOf(askEngine(fresh), name, args)
    await eachInput(await waysToAsk(harness), async ({ engine, ask }) => {
      for (const [name, tool] of toolsOf(engine))
        for (const args of switchPositions(tool)) await answerOf(ask, name, args)
    })
  }),
  contractCase('C60', 'answers a call of an unknown tool with an error', ['tools'], async (harness) => {
    await eachInput(await waysToAsk(harness), async ({ engine, ask }) => {
      const [known = ''] = [...toolsOf(engine).keys()]
      const names = ['no_such_tool', '', `${known} `, `${known}_`, '__proto__', 'constructor', 'toString']
      for (const name of names) expectError(await answerOf(ask, name, {}), `the tool ${JSON.stringify(name)}`)
    })
  }),
  contractCase(
    'C61',
    'copes with any arguments that a model writes for a tool',
    ['tools'],
    async (harness) => {
      await eachInput(await waysToAsk(harness), async ({ engine, ask, positions }) => {
        for (const [name, tool] of toolsOf(engine)) {
          for (const { fault, args } of schemaBreakers(tool))
            expectError(await answerOf(ask, name, args, fault), `${name} with ${fault}`)
          for (const { fault, args } of hostileArguments(tool, positions(tool)))
            await answerOf(ask, name, args, fault)
        }
        // Taken away again, so that what comes later is not judged by it.
        const isPolluted = Object.hasOwn(Object.prototype, 'polluted')
        Reflect.deleteProperty(Object.prototype, 'polluted')
        ok(!isPolluted, 'a key named __proto__ changed the prototype of all objects')
      })
      await survivesPatterns(harness)
    },
  ),
  /**
   * No contract says how long an answer may be, so the bound is one that no window takes, over a history that is
   * longer. What a tool says of its own limits it has to keep: an argument named `limit`, `max_results` and the
   * like has a smallest value, with which a long answer is shorter than without.
   */
  contractCase(
    'C62',
    'keeps its answers short, however much it could find, and searches long messages to their end',
    ['tools'],
    async (harness) => {
      const history = longConversation({ turns: 300, resultCharacters: 4_000 })
      await eachInput(await waysToAsk(harness, history), answersShortly)
      await searchesToTheEnd(harness)
    },
  ),
]

/** The largest window of a model. The questions are about a history of 1.6 million characters. */
const MOST_CHARACTERS = 1_000_000
/** From this length on an answer is one that a limit should make shorter. */
const LONG_CHARACTERS = 5_000
/** Arguments that say how much an answer may hold, whatever the tool. */
const LIMIT = /^(?:limit|max_?(?:results|items|hits|matches|messages|lines|tokens|chars|characters|bytes))$/i
/** Function names that providers take. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** Longer than this no call may keep everything else from running, in milliseconds; most take less than one. */
const LONGEST_BLOCK = 1_000

type Ask = (name: string, args: unknown) => Promise<string>

/** A host's way to the tools of an engine. */
interface Way {
  readonly engine: ContextEngine
  readonly ask: Ask
  /** Arguments beside which hostile ones are tried. A session hands them on, whatever the position of a switch. */
  readonly positions: (tool: ToolArguments) => readonly Arguments[]
}

/** Both ways in which a host gets at the tools of an engine that knows a long conversation. */
async function waysToAsk(
  harness: Harness,
  messages: readonly Message[] = longConversation(),
): Promise<Record<string, Way>> {
  const engine = harness.create()
  await engine.ingest({ messages, from: 0 })
  const watched = harness.session()
  await watched.session.prepare(messages)
  // A host hands on the text that the model wrote.
  const ask: Ask = (name, args) => watched.session.callTool(name, JSON.stringify(args) ?? '')
  return {
    'handleToolCall()': { engine, ask: askEngine(engine), positions: switchPositions },
    'callTool() of a session': {
      engine: watched.engine,
      ask,
      positions: (tool) => [fittingArguments(tool)],
    },
  }
}

function askEngine(engine: ContextEngine): Ask {
  return (name, args) => engine.handleToolCall(name, args)
}

function toolsOf(engine: ContextEngine): Map<string, ToolArguments> {
  return new Map(engine.toolSchemas().map((schema) => [schema.function.name, argumentsOf(schema)]))
}

/** The answer of a tool, parsed. */
async function answerOf(ask: Ask, name: string, args: unknown, fault = shown(args)): Promise<unknown> {
  let text: unknown
  try {
    text = await ask(name, args)
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

/** Searches with a pattern in every argument that takes a text. */
async function survivesPatterns(harness: Harness): Promise<void> {
  const engine = harness.create()
  const messages = [system(), user(costlyText()), assistant('That is a long word.'), user('Is it?')]
  await engine.ingest({ messages, from: 0 })
  for (const [name, tool] of toolsOf(engine))
    for (const key of namesOfType(tool, 'string'))
      for (const position of switchPositions(tool)) {
        const args = { ...position, [key]: COSTLY_PATTERN }
        const block = await longestBlock(() => answerOf(askEngine(engine), name, args))
        const what = `${name}(${JSON.stringify(args)}) kept everything else from running for ${Math.round(block)} ms`
        ok(block < LONGEST_BLOCK, `${what}; search with a pattern in linear time, or with a limit`)
      }
}

/** Asks each tool with its switches and limits in every position, and measures what it says. */
async function answersShortly({ engine, ask }: Way): Promise<void> {
  for (const [name, tool] of toolsOf(engine)) {
    const usual = (await ask(name, fittingArguments(tool))).length
    for (const args of [...switchPositions(tool), ...atAndAboveLimits(tool)]) {
      const { length } = await ask(name, args)
      ok(length <= MOST_CHARACTERS, `${name}(${JSON.stringify(args)}) answered with ${length} characters`)
    }
    if (usual < LONG_CHARACTERS) continue
    for (const args of leastLimits(tool)) {
      const { length } = await ask(name, args)
      ok(
        length < usual,
        `${name}(${JSON.stringify(args)}) is ${length} characters long, and ${usual} without it`,
      )
    }
  }
}

/** Where a tool finds a word of a short message, it finds one at the end of a long message. */
async function searchesToTheEnd(harness: Harness): Promise<void> {
  const engine = harness.create()
  const long = `${'A line without anything to find. '.repeat(200)}The word is balsam.`
  const messages = [
    user('The word is abacus.'),
    assistant('Noted.'),
    user(long),
    assistant('Noted.'),
    user('So?'),
  ]
  await engine.ingest({ messages: [system(), ...messages], from: 0 })
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

function limitsOf({ properties }: ToolArguments): [string, { minimum?: number; maximum?: number }][] {
  return Object.entries(properties).filter(([name]) => LIMIT.test(name))
}

/** The largest answers that a tool says it gives, and more than that. */
function atAndAboveLimits(tool: ToolArguments): Arguments[] {
  return limitsOf(tool).flatMap(([name, { maximum }]) =>
    maximum === undefined
      ? []
      : [maximum, maximum * 1_000].map((value) => ({ ...fittingArguments(tool), [name]: value })),
  )
}

function leastLimits(tool: ToolArguments): Arguments[] {
  return limitsOf(tool).map(([name, { minimum = 1 }]) => ({ ...fittingArguments(tool), [name]: minimum }))
}
