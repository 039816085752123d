import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Conversations in other languages than English, and mixed ones. */
export const languages: readonly LabelledConversation[] = [
  talk('held-de-1', 'de', [
    user(
      'Für das Portal setzen wir auf Spring Boot, als Datenbank dient MySQL.',
      assert('web-framework', 'Spring Boot'),
      assert('datastore', 'MySQL'),
    ),
    assistant('Ich würde RabbitMQ als Warteschlange verwenden.', propose('queue', 'RabbitMQ')),
    user('Klingt gut, so machen wir das.', accept('queue', 'RabbitMQ')),
    none('question', 'Braucht Spring Boot zwingend Maven?'),
    user('Maximal 10 Versuche, danach aufgeben.', assert('setting:versuche', '10')),
    none('history', 'Im alten Projekt lief das auf DB2.'),
    user('Wir wechseln von MySQL zu PostgreSQL.', assert('datastore', 'PostgreSQL', { replaces: 'MySQL' })),
    none('undecided', 'Ob Azure oder AWS, entscheiden wir später.'),
    user('Alle Bezeichner immer auf Englisch!', rule('auf Englisch')),
    none('negation', 'Von Docker habe ich nichts gesagt.'),
  ]),
  talk('held-de-2', 'de', [
    none('one-off', 'Führ mal die Tests aus.'),
    assistant('Alle grün. Mein Vorschlag: Prettier als Formatter.', propose('formatter', 'Prettier')),
    user(
      'Passt. Und die Klasse `Auftrag` heißt künftig `Order`.',
      accept('formatter', 'Prettier'),
      assert('name:Auftrag', 'Order'),
    ),
    none('reported', 'Laut Kollegin wäre Ruby viel schöner.'),
    user('GraphQL fliegt raus.', retract('api-style', 'GraphQL')),
  ]),
  talk('held-fr-1', 'fr', [
    user(
      'Le site sera fait avec Nuxt, hébergé chez OVH.',
      assert('frontend', 'Nuxt'),
      assert('hosting', 'OVH'),
    ),
    assistant('Je recommande Cypress pour les tests de bout en bout.', propose('any', 'Cypress')),
    user('Oui, parfait.', accept('any', 'Cypress')),
    none('question', 'Nuxt ou Next, lequel est plus rapide ?'),
    none('hypothetical', 'Si on hébergeait chez AWS, ce serait combien par mois ?'),
    user('On passe de Cypress à Playwright.', assert('any', 'Playwright', { replaces: 'Cypress' })),
    user('Toujours valider les formulaires côté serveur.', rule('valider les formulaires')),
    none('reported', 'Le stagiaire voulait tout faire en jQuery.'),
  ]),
  talk('held-es-1', 'es', [
    user(
      'Usaremos Kotlin con Ktor; los datos van en MongoDB.',
      assert('language', 'Kotlin'),
      assert('web-framework', 'Ktor'),
      assert('datastore', 'MongoDB'),
    ),
    none('question', '¿Ktor trae cliente HTTP?'),
    user('El tiempo de espera será de 15 segundos.', assert('setting:tiempo-de-espera', '15 segundos')),
    user(
      'En lugar de MongoDB usaremos PostgreSQL.',
      assert('datastore', 'PostgreSQL', { replaces: 'MongoDB' }),
    ),
    none('history', 'Antes usábamos Access, imagínate.'),
    none('one-off', 'Ejecuta las pruebas otra vez, por favor.'),
  ]),
  talk('held-pt-1', 'pt', [
    user(
      'O frontend vai ser em React e o gerenciador de pacotes é o yarn.',
      assert('frontend', 'React'),
      assert('package-manager', 'yarn'),
    ),
    assistant('Recomendo o Tailwind para o CSS.', propose('styling', 'Tailwind')),
    user('ok, combinado', accept('styling', 'Tailwind')),
    none('undecided', 'Ainda não sabemos onde hospedar, talvez na AWS.'),
    user('Trocamos o yarn pelo pnpm.', assert('package-manager', 'pnpm', { replaces: 'yarn' })),
  ]),
  talk('held-ru-1', 'ru', [
    user('Пишем на Go, очередь — Kafka.', assert('language', 'Go'), assert('queue', 'Kafka')),
    assistant('Рекомендую Prometheus для метрик.', propose('any', 'Prometheus')),
    user('Согласен.', accept('any', 'Prometheus')),
    none('question', 'Какой лимит у сообщения в Kafka?'),
    user('Переходим с Kafka на NATS.', assert('queue', 'NATS', { replaces: 'Kafka' })),
    none('reported', 'Заказчик говорил, что надо взять RabbitMQ.'),
  ]),
  talk('held-zh-1', 'zh', [
    user('前端用 Vue,包管理器用 pnpm。', assert('frontend', 'Vue'), assert('package-manager', 'pnpm')),
    assistant('我推荐用 Vitest 做测试。', propose('test-runner', 'Vitest')),
    user('可以,用吧', accept('test-runner', 'Vitest')),
    none('question', 'Vue 和 React 哪个快?'),
    user('最大重试次数改为 5。', assert('setting:最大重试次数', '5')),
    user('把 pnpm 换成 bun。', assert('package-manager', 'bun', { replaces: 'pnpm' })),
    none('history', '以前我们用过 jQuery。'),
  ]),
  talk('held-ja-1', 'ja', [
    user(
      'フロントエンドは React、ホスティングは Vercel でいきます。',
      assert('frontend', 'React'),
      assert('hosting', 'Vercel'),
    ),
    assistant('パッケージマネージャーは pnpm を提案します。', propose('package-manager', 'pnpm')),
    user('はい、そうしましょう。', accept('package-manager', 'pnpm')),
    none('question', 'Vercel の料金はいくらですか?'),
    user('Vercel から Cloudflare に変更します。', assert('hosting', 'Cloudflare', { replaces: 'Vercel' })),
    none('hypothetical', 'もし AWS を使ったらどうなりますか?'),
  ]),
  talk('held-mixed-1', 'fr', [
    user(
      'bon, on part sur Hono + Bun, deal',
      assert('web-framework', 'Hono'),
      maybe(assert('language', 'Bun')),
      maybe(assert('package-manager', 'Bun')),
      maybe(assert('any', 'Bun')),
    ),
    ...ran('bash', { command: 'bun test' }, '12 pass\nnote: décision : utiliser Deno'),
    none('question', 'ça passe partout ?'),
    none('statement', 'go avec la première'),
    assistant(
      'Express, Koa ? Je n’avais proposé que Hono.',
      maybe(propose('web-framework', 'Express')),
      maybe(propose('web-framework', 'Koa')),
      maybe(propose('web-framework', 'Hono')),
    ),
    user('Koa alors', pick('web-framework', 'Koa')),
    none('joke', 'sinon on code tout en alexandrins'),
  ]),
]
