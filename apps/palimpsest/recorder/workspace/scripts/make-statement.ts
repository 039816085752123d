import { createRandom, type Random } from './random.ts'

type Vendor = readonly [name: string, low: number, high: number]

const vendors: Readonly<Record<'lisbon' | 'tokyo', readonly [Vendor, ...Vendor[]]>> = {
  lisbon: [
    ['Café Miradouro', 120, 980],
    ['Tasca do Cais', 850, 3_200],
    ['Taxi Ribeira', 480, 2_400],
    ['Metro Colinas', 165, 165],
    ['Ferry Cacilhas', 290, 580],
    ['Papelaria Sol', 240, 4_500],
    ['Livraria "O Cais", Lda', 900, 3_900],
    ['Hotel Alfama Norte', 7_900, 16_400],
    ['Nuvem Cloud', 1_900, 12_000],
    ['Fibra Tejo', 3_999, 3_999],
    ['Estúdio Lume', 1_500, 9_000],
  ],
  tokyo: [
    ['Konbini Sakura', 108, 1_480],
    ['Kissaten Aoba', 420, 1_350],
    ['Bento Hibari', 540, 980],
    ['Shinkawa Taxi', 730, 4_900],
    ['Tozan Rail', 180, 620],
    ['Bunbogu Mori', 160, 6_200],
    ['Ekimae Hotel', 7_200, 14_800],
    ['Denki Cloud', 2_200, 15_400],
    ['Print Koubou', 300, 5_400],
    ['Aoi Florist', 1_200, 8_800],
  ],
}

interface Row {
  readonly bookedAt: string
  readonly vendor: string
  readonly amount: string
  readonly reference: string
}

/** One month of card transactions as the bank writes them: local time with its offset. */
export function makeStatement(office: 'lisbon' | 'tokyo', month: string, seed: number): string {
  const random = createRandom(seed)
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  const rows: Row[] = []
  for (let day = 1; day <= days; day += 1) {
    const count = 4 + random.below(4)
    const times = Array.from({ length: count }, () => 6 * 60 + random.below(16 * 60)).sort((a, b) => a - b)
    for (const minutes of times) rows.push(makeRow(random, office, `${month}-${pad(day)}`, minutes, rows.length))
    // In Tokyo two colleagues now and then pay the same at the same till: the rows differ only in the reference.
    const last = rows.at(-1)
    if (office === 'tokyo' && day % 9 === 4 && last) rows.push({ ...last, reference: reference(random, rows.length) })
  }
  if (month === '2026-04') rows.splice(40, 0, { ...makeRow(random, office, `${month}-07`, 800, 900), amount: '12,5O' })
  const lines = rows.map((row) => [row.bookedAt, quote(row.vendor), quote(row.amount), row.reference].join(','))
  return `${['booked_at,vendor,amount,reference', ...lines].join('\n')}\n`
}

function makeRow(random: Random, office: 'lisbon' | 'tokyo', day: string, minutes: number, number: number): Row {
  const [vendor, low, high] = random.pick(vendors[office])
  const refund = random.below(40) === 0
  const units = low + random.below(high - low + 1)
  return {
    bookedAt: `${day}T${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:00${offset(office, day)}`,
    vendor,
    amount: `${refund ? '-' : ''}${office === 'lisbon' ? euros(units) : thousands(String(units))}`,
    reference: reference(random, number),
  }
}

function offset(office: 'lisbon' | 'tokyo', day: string): string {
  if (office === 'tokyo') return '+09:00'
  return day >= '2026-03-29' ? '+01:00' : '+00:00'
}

function reference(random: Random, number: number): string {
  return `${String(number + 1).padStart(4, '0')}-${(random.below(0xfffff) + 0x100000).toString(16)}`
}

function euros(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${thousands(digits.slice(0, -2))}.${digits.slice(-2)}`
}

function thousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

function quote(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
