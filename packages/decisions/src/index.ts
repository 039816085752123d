export { createDecisionLedger } from './log/decision-ledger.ts'
