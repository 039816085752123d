import type { Category } from './entry.ts'

interface Rule {
  /** Matched against the vendor's name in lower case. */
  readonly vendor: RegExp
  readonly category: Category
}

/** The first rule that matches a vendor decides. */
const rules: readonly Rule[] = [
  { vendor: /taxi|metro|rail|ferry/, category: 'travel' },
  { vendor: /hotel|residence/, category: 'lodging' },
  { vendor: /café|kissaten|konbini|bento|tasca|pastelaria/, category: 'meals' },
  { vendor: /papelaria|bunbogu|livraria|print/, category: 'office' },
  { vendor: /cloud|hosting|licence|fibra|denki/, category: 'software' },
]

export function categoryOf(vendor: string): Category {
  const name = vendor.toLowerCase()
  return rules.find((rule) => rule.vendor.test(name))?.category ?? 'other'
}
