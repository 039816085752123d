import type { ContractCase } from '../contract-case.ts'
import { abortCases } from './abort.ts'
import { contentCases } from './content.ts'
import { failureCases } from './failure.ts'
import { determinismCases } from './invariants/determinism.ts'
import { pastCases } from './invariants/past.ts'
import { projectionCases } from './invariants/projection.ts'
import { purityCases } from './invariants/purity.ts'
import { secretsCases } from './invariants/secrets.ts'
import { smallerCases } from './invariants/smaller.ts'
import { sessionCases } from './invariants/walk-session.ts'
import { keptCases } from './kept.ts'
import { lifecycleCases } from './lifecycle.ts'
import { losslessCases } from './lossless.ts'
import { persistenceCases } from './persistence.ts'
import { sequenceCases } from './sequence.ts'
import { stateCases } from './state.ts'
import { summaryCases } from './summary.ts'
import { toolCases } from './tools.ts'

/** Every case of the contract of engines, in the order of their ids. */
export const contractCases: readonly ContractCase[] = [
  ...stateCases,
  ...sequenceCases,
  ...contentCases,
  ...keptCases,
  ...summaryCases,
  ...failureCases,
  ...abortCases,
  ...lifecycleCases,
  ...toolCases,
  ...persistenceCases,
  ...losslessCases,
  ...determinismCases,
  ...pastCases,
  ...projectionCases,
  ...purityCases,
  ...secretsCases,
  ...smallerCases,
  ...sessionCases,
].toSorted((one, other) => one.id.localeCompare(other.id))
