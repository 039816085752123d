export interface Subject {
  /** As users say it behind "the". */
  readonly name: string
  /** A word that begins with one of these tells a reader what a value near it is of. Work between statements has none. */
  readonly words: readonly string[]
  readonly values: readonly string[]
}

const subject = (name: string, words: readonly string[], values: readonly string[]): Subject => ({
  ...{ name, words, values },
})

export const SUBJECTS: readonly Subject[] = [
  subject('message broker', ['broker'], ['RabbitMQ', 'NATS', 'Pulsar', 'ActiveMQ', 'ZeroMQ']),
  subject('search backend', ['search'], ['Solr', 'Typesense', 'Sphinx', 'Manticore', 'Quickwit']),
  subject('templating language', ['templat'], ['Jinja', 'Handlebars', 'Liquid', 'Nunjucks', 'Mustache']),
  subject('monitoring stack', ['monitoring'], ['Grafana', 'Zabbix', 'Netdata', 'Nagios', 'Datadog']),
  subject('payment provider', ['payment'], ['Stripe', 'Adyen', 'Mollie', 'Braintree', 'Klarna']),
  subject('charting library', ['chart'], ['D3', 'Plotly', 'Recharts', 'Vega', 'Highcharts']),
  subject('icon set', ['icon'], ['Lucide', 'Phosphor', 'Tabler', 'Heroicons', 'Feather']),
  subject('preview port', ['preview', 'port'], ['4180', '5290', '8123', '9417', '7706']),
  subject('export quota', ['quota'], ['250 per hour', '600 per hour', '1200 per hour', '900 per hour']),
  subject('trace retention', ['retention'], ['14 days', '45 days', '120 days', '21 days', '35 days']),
  subject('upload ceiling', ['ceiling'], ['16 MB', '48 MB', '96 MB', '220 MB', '12 MB']),
  subject('heartbeat interval', ['heartbeat'], ['1500 ms', '4000 ms', '750 ms', '2600 ms', '9000 ms']),
  subject('thumbnail width', ['thumbnail'], ['320 px', '480 px', '256 px', '640 px', '512 px']),
  subject('grace period', ['grace'], ['three days', 'ten days', 'two weeks', 'five days', 'one month']),
  subject('desk allowance', ['allowance'], ['115 users', '140 users', '260 users', '310 users']),
  subject(
    'staging hostname',
    ['staging', 'hostname'],
    ['qa-7.example.org', 'blue.example.org', 'try.example.net', 'next.example.com'],
  ),
  subject('bot nickname', ['nickname'], ['pidgy', 'marvin', 'otto', 'klaxon', 'ferdinand']),
  subject('release codename', ['codename'], ['Juniper', 'Basalt', 'Heron', 'Saffron', 'Tundra']),
  subject('archive bucket', ['bucket'], ['acme-cold-1', 'acme-vault-eu', 'frozen-eu-2', 'acme-deep-us']),
  subject('default branch', ['branch'], ['trunk', 'mainline', 'develop', 'integration']),
  subject('environment prefix', ['prefix'], ['ACME_', 'SHOP_', 'TILL_', 'KIOSK_', 'DESK_']),
  subject('fixtures folder', ['fixture'], ['spec/seeds', 'tools/samples', 'qa/cases', 'etc/golden']),
  subject('report directory', ['report'], ['out/weekly', 'var/sheets', 'build/pages', 'tmp/digest']),
  subject(
    'certificate location',
    ['certificate'],
    ['/etc/tls/shop', '/srv/keys', '/opt/pki', '/var/lib/trust'],
  ),
  subject('standup time', ['standup'], ['9:15', '9:40', '10:05', '10:30', '11:20']),
  subject('backup hour', ['backup'], ['2:45 am', '4:10 am', '11:50 pm', '3:25 am', '1:35 am']),
  subject('freeze date', ['freeze'], ['March 9', 'April 17', 'May 28', 'June 11', 'March 24']),
  subject('licence', ['licen'], ['MPL-2.0', 'Apache-2.0', 'EUPL-1.2', 'BSD-3-Clause', 'MIT']),
  subject(
    'accent colour',
    ['accent', 'colour', 'color'],
    ['#7c3aed', '#0d9488', '#b45309', '#be123c', '#1d4ed8'],
  ),
  subject('billing currency', ['currency'], ['CHF', 'EUR', 'SEK', 'PLN', 'DKK']),
  subject('date format', ['date format'], ['YYYY-MM-DD', 'DD.MM.YYYY', 'D MMM YYYY', 'YYYY/DDD']),
  subject('keyboard shortcut', ['shortcut'], ['Ctrl+Shift+K', 'Alt+Enter', 'Ctrl+J', 'F9', 'Ctrl+.']),
]
