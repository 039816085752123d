import type { BillRow } from './bill-report.ts'
import type { ArmBill } from './sum-costs.ts'

/** Measures the arms of one budget against the cheapest engine or peer of it: see `BillRow.policyRatio`. */
export function comparePolicies(bills: readonly ArmBill[]): BillRow[] {
  const policies = bills.filter(({ kind }) => kind !== 'bound')
  const [best] = (policies.length > 0 ? policies : bills).toSorted((a, b) => a.total - b.total)
  const least = best?.total ?? 0
  return bills.map((bill) => ({
    ...bill,
    policyRatio: least === 0 ? 1 : bill.total / least,
    isBest: bill === best,
  }))
}
