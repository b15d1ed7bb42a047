import { join } from 'node:path'
import type { Report } from '../support/report'

const tests = ['test/browser/setup.test.ts', 'test/browser/reverse-proxy.test.ts', 'test/reverse-proxies.test.ts']

/** Runs the tests of reverse proxies with nginx in place of the proxy that the tests start on every machine. */
export async function run(report: Report) {
  if (!Bun.which('nginx')) return report.skip('tests behind nginx', 'nginx is not installed')
  for (const path of tests) {
    const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', `./${path}`], {
      cwd: join(import.meta.dir, '../..'),
      env: { ...process.env, REVERSE_PROXY: 'nginx' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    report.check(`${path} passes behind nginx`, (await child.exited) === 0, output.join('').slice(-3000))
  }
}
