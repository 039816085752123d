import type { Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact } from '../harness/compact.ts'
import {
  assistant,
  calls,
  callWith,
  longConversation,
  result,
  system,
  toolRounds,
  user,
} from '../harness/conversations.ts'
import { eachInput } from '../harness/each-input.ts'
import { expectLawful, expectLawfulOf } from '../harness/expect-lawful.ts'
import { unlessRefused } from '../harness/settle.ts'

/** Calls and their results in what comes out of a compaction. */
export const toolPairCases: readonly ContractCase[] = [
  contractCase('C26', 'keeps no tool result without its call directly before it', (harness) =>
    expectLawfulOf(harness, 'results', toolRuns()),
  ),
  contractCase('C27', 'keeps no call without its result', (harness) =>
    expectLawfulOf(harness, 'calls', toolRuns()),
  ),
  contractCase('C28', 'keeps parallel calls together, all or none', (harness) =>
    expectLawfulOf(harness, 'groups', toolRuns()),
  ),
  contractCase('C29', 'mends broken pairs in its input, or refuses them with a code', (harness) =>
    eachInput(brokenPairs(), async (history) => {
      const made = await unlessRefused(() => compact(harness.create(), history))
      if (made?.outcome === 'compacted') expectLawful(made.messages, history, ['results', 'calls'])
    }),
  ),
  contractCase('C30', 'keeps the arguments of calls parseable, however long they are', (harness) =>
    expectLawfulOf(harness, 'arguments', longWrites()),
  ),
  contractCase('C31', 'changes no id of a call', (harness) => expectLawfulOf(harness, 'ids', toolRuns())),
]

/**
 * Two runs of tools, one message apart: whatever the number of messages that a cut leaves, it splits a round in one.
 */
function toolRuns(): Record<string, Message[]> {
  const run = [system(), user('Read everything.'), ...toolRounds()]
  return {
    'many tool rounds': run,
    'many tool rounds and an answer': [...run, assistant('All parts count in cents.')],
  }
}

/** Files that an agent writes at the end: long texts of every kind inside the arguments. */
function longWrites(): Record<string, Message[]> {
  const writes = [1, 2, 3].flatMap((number) => {
    const text = `// part ${number} \u{1F9EE} "cents" \\ 日本語\n`.repeat(60)
    return [
      callWith(`write_${number}`, JSON.stringify({ path: `src/part-${number}.ts`, text })),
      result(`write_${number}`, `wrote part ${number}`),
    ]
  })
  return { 'long arguments': [...longConversation(), ...writes] }
}

/** A long conversation with one thing wrong with its calls and results, by what it is. */
function brokenPairs(): Record<string, Message[]> {
  const history = longConversation({ turns: 25 })
  const firstCalls = 2
  const lateCalls = history.findLastIndex((message) => message.role === 'assistant' && message.tool_calls)
  const late = history.slice(lateCalls, lateCalls + 2)
  return {
    'a result without a call at the beginning': history.toSpliced(1, 0, result('nowhere', 'an orphan')),
    'a result without a call at the end': [...history, result('nowhere', 'an orphan')],
    'a result whose call is gone': history.toSpliced(firstCalls, 1),
    'a late result whose call is gone': history.toSpliced(lateCalls, 1),
    'a call whose result is gone': history.toSpliced(firstCalls + 1, 1),
    'a late call whose result is gone': history.toSpliced(lateCalls + 1, 1),
    'a result before its call': history
      .with(lateCalls, late[1] as Message)
      .with(lateCalls + 1, late[0] as Message),
    'a result twice': history.toSpliced(lateCalls + 1, 0, late[1] as Message),
    'a round twice': history.toSpliced(lateCalls, 0, ...late),
    'a result behind another message': history.toSpliced(lateCalls + 1, 0, user('Are you there?')),
    'a call without an answer at the end': [...history, calls('open')],
  }
}
