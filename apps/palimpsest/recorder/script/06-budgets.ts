import { act, code, type Episode, edit, read, run, say, search, shows, user } from '../steps.ts'

/** A rule that was given at the start is broken and pointed out by the user. */
export const budgets: Episode = [
  user(`
    Now a feature. "tally budget" prints what is left. I want to see when a category comes close: warn from 80
    percent of the limit, over when more than the whole limit is spent. Exactly 100 percent is still warn.
  `),
  act(
    'Small module, three tests. I read both, and who else uses it.',
    read('src/budget.ts'),
    read('test/budget.test.ts'),
    search('monthBudget|BudgetLine', 'src'),
  ),
  act(
    null,
    edit(
      'src/budget.ts',
      code`
export interface BudgetLine {
  readonly category: Category
  readonly limit: number
  readonly spent: number
  readonly left: number
}
`,
      code`
export type BudgetLevel = 'ok' | 'warn' | 'over'

export interface BudgetLine {
  readonly category: Category
  readonly limit: number
  readonly spent: number
  readonly left: number
  readonly level: BudgetLevel
}

/** Share of the limit from which on a category is worth a look. */
export const WARN_FROM = 0.8
`,
    ),
    edit(
      'src/budget.ts',
      code`
    lines.push({ category, limit, spent, left: limit - spent })
  }
  return lines
}
`,
      code`
    lines.push({ category, limit, spent, left: limit - spent, level: levelOf(spent, limit) })
  }
  return lines
}

function levelOf(spent: number, limit: number): BudgetLevel {
  const share = spent / limit
  if (share > 1) return 'over'
  return share >= WARN_FROM ? 'warn' : 'ok'
}
`,
    ),
    shows(run('node --test test/budget.test.ts', 1), "level: 'ok'", 'fail 1'),
  ),
  user('Stop there. share = spent / limit is a float. Rule 1 says: not even in between.'),
  act(
    `
    You are right, and it is not pedantry: 0.8 has no exact binary form, so whether exactly 80 percent warns
    would depend on the limit. In integers it is a comparison of two products, \`spent * 100 >= limit * 80\`,
    and nothing is divided.
    `,
    edit(
      'src/budget.ts',
      code`
  const share = spent / limit
  if (share > 1) return 'over'
  return share >= WARN_FROM ? 'warn' : 'ok'`,
      code`
  if (spent > limit) return 'over'
  return spent * 100 >= limit * WARN_PERCENT ? 'warn' : 'ok'`,
    ),
    edit(
      'src/budget.ts',
      code`
/** Share of the limit from which on a category is worth a look. */
export const WARN_FROM = 0.8`,
      code`
/** Percent of the limit from which on a category is worth a look. */
export const WARN_PERCENT = 80`,
    ),
    edit(
      'test/budget.test.ts',
      "{ category: 'meals', limit: 90_000, spent: 60_000, left: 30_000 })",
      "{ category: 'meals', limit: 90_000, spent: 60_000, left: 30_000, level: 'ok' })",
    ),
    edit(
      'test/budget.test.ts',
      code`
  it('looks at one month and one office', () => {`,
      code`
  it('warns from 80 percent and is over beyond the limit', () => {
    const levelAt = (amount: number) => {
      const ledger = newLedger()
      ledger.post(lunch({ amount }))
      return monthBudget(ledger, offices.lisbon, '2026-03').find((line) => line.category === 'meals')?.level
    }
    assert.deepEqual([71_999, 72_000, 90_000, 90_001].map(levelAt), ['ok', 'warn', 'warn', 'over'])
  })

  it('looks at one month and one office', () => {`,
    ),
  ),
  act(
    null,
    shows(run('node --test test/budget.test.ts'), 'fail 0'),
    edit(
      'src/cli.ts',
      code`
        console.log(\`\${line.category.padEnd(10)}\${formatAmount(line.left, office.currency).padStart(16)} left\`)`,
      code`
        const left = formatAmount(line.left, office.currency).padStart(16)
        console.log(\`\${line.category.padEnd(10)}\${left} left\${line.level === 'ok' ? '' : \`  \${line.level}\`}\`)`,
    ),
    shows(run('node src/cli.ts budget --office tokyo --month 2026-03'), 'over', 'warn'),
  ),
  say(`
    Works, in integers: 71,999 of 90,000 is ok, 72,000 warns, 90,000 still warns, 90,001 is over. On the real
    March of Tokyo, office material is over (¥60,629 too much) and lodging is at the warning; the other three
    are fine.

    I also went through my other changes of today with rule 1 in mind and found no second case.
  `),
  user('Office material over by sixty thousand? Oh. That is the printer. Fine. 👍'),
  say('Then the first alarm was a true one. Nothing to change.'),
]
