import { afterEach, expect, it, vi } from 'vitest'
import { hideSqliteWarning } from '../src/hide-sqlite-warning.ts'

const { emitWarning } = process
afterEach(() => {
  process.emitWarning = emitWarning
})

it('hides the one warning that nobody can act on, and shows the others', () => {
  const shown = vi.fn()
  process.emitWarning = shown
  hideSqliteWarning()
  process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
  expect(shown).not.toHaveBeenCalled()
  process.emitWarning('the disk is slow', 'Warning')
  expect(shown).toHaveBeenCalledWith('the disk is slow', 'Warning')
})
