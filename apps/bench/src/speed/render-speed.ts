import Table from 'cli-table3'
import type { SpeedReport } from './run-speed.ts'

/** The speed report as tables. */
export function renderSpeed({ node, seed, rows, facts }: SpeedReport): string {
  const speed = new Table({
    head: ['operation', 'messages', 'tokens', 'median ms', 'floor ms', 'ratio', 'promised'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
  })
  for (const { operation, messages, tokens, measured, floor, ratio, target } of rows) {
    speed.push([
      operation,
      whole(messages),
      whole(tokens),
      milliseconds(measured.median),
      milliseconds(floor.median),
      ratio.toFixed(2),
      target,
    ])
  }
  const kept = new Table({
    head: [
      'planted facts',
      'in',
      'planted',
      'shown to the summariser or kept',
      'in the last prompt',
      'compactions',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right'],
  })
  for (const { profile, where, planted, reached, stillInPrompt, compactions } of facts) {
    kept.push([profile, where, planted, reached, stillInPrompt, compactions].map(String))
  }
  const parts = [
    `Node ${node}, seed ${seed}. Floor: JSON.stringify of the same messages, in the same run.`,
    speed.toString(),
  ]
  if (facts.length > 0) parts.push(kept.toString())
  return `${parts.join('\n\n')}\n`
}

function milliseconds(value: number): string {
  return value < 1 ? value.toFixed(3) : value.toFixed(1)
}

function whole(value: number): string {
  return value.toLocaleString('en-US')
}
