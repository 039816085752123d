import Table from 'cli-table3'
import type { JudgeCheck, JudgeReport, ModelSpend } from './judge-report.ts'
import { renderJudgeRows } from './render-judge-rows.ts'
import { VERDICTS } from './verdict.ts'

/** The report for a terminal: how it was done, the judge's check, one table for each budget, and what it cost. */
export function renderJudge(report: JudgeReport): string {
  const { answerer, judge, runs, budgets, dialogues, check, rows, answers, planned, stopped, spend } = report
  const total = (key: 'probes' | 'neverStated'): number => dialogues.reduce((sum, each) => sum + each[key], 0)
  const came = `${whole(answers.length)} of ${whole(planned)} answers`
  return `${[
    `${answerer} answers, ${judge} judges. ${dialogues.length} generated dialogues, ${total('probes')} questions about what was said, ${total('neverStated')} about what never was; ${runs} runs of each, without seeds, which the models' ports do not take.`,
    ...(stopped === null ? [] : [`INCOMPLETE: ${came} are here, because the run ended early: ${stopped}`]),
    renderCheck(check),
    'Means are over facts (an item in one answer), with their 95 % interval (bootstrap over dialogues) and how many facts they are over.',
    ...budgets.map((budget) => {
      const ofBudget = rows.filter((row) => row.budget === budget)
      return renderJudgeRows({ budget, rows: ofBudget, isDoubtful: check.doubts.length > 0 })
    }),
    renderSpend(spend),
  ].join('\n\n')}\n`
}

function renderCheck({ leniency, severity, n, doubts, confusion }: JudgeCheck): string {
  const table = new Table({
    head: ['planted', 'expected', ...VERDICTS, 'unjudged'],
    style: { head: [], border: [], compact: true },
  })
  for (const { planted, expected, verdicts, unjudged } of confusion)
    table.push([planted, expected, ...VERDICTS.map((verdict) => String(verdicts[verdict])), String(unjudged)])
  return [
    doubts.length === 0
      ? 'The judge passed its check.'
      : `THE JUDGE IS NOT TO BE TRUSTED: ${doubts.join('; ')}. What it judged is marked with (?).`,
    `Leniency ${share(leniency)} (vague and wrong answers that it accepted, n ${n.leniency}), severity ${share(severity)} (right answers that it did not, n ${n.severity}).`,
    table.toString(),
  ].join('\n')
}

function renderSpend({ answerer, judge, calls, usd }: JudgeReport['spend']): string {
  const table = new Table({
    head: ['model', 'requests', 'failed tries', 'prompt tokens', 'from cache', 'answer tokens', 'US dollars'],
    style: { head: [], border: [], compact: true },
  })
  for (const spend of [answerer, judge])
    table.push([
      spend.model,
      whole(spend.calls),
      failures(spend),
      whole(spend.promptTokens),
      whole(spend.cacheReadTokens),
      whole(spend.completionTokens),
      spend.usd === null ? 'price not known' : `${spend.usd.toFixed(2)} (${spend.pricesOf})`,
    ])
  const unreported = answerer.unreported + judge.unreported
  const missing =
    unreported > 0 ? `; ${whole(unreported)} answers came without a usage and are not in it` : ''
  const cost = usd === null ? 'a cost that is not known' : `${usd.toFixed(2)} US dollars`
  return `${table.toString()}\n${whole(calls)} requests, ${cost}${missing}.`
}

function failures({ failures }: ModelSpend): string {
  const kinds = Object.entries(failures).map(([kind, times]) => `${kind} ${times}`)
  return kinds.length === 0 ? 'none' : kinds.join('\n')
}

const whole = (value: number): string => value.toLocaleString('en-US')

const share = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
