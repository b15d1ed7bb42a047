import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob, gzipSync } from 'bun'
import { maintainer, repository, site, version } from '../../src/shared/origin'
import { writeTar, type Entry } from './archives/tar'
import { completions } from './completions'
import { unitOfPackage } from './deb'
import { manualPages } from './manual'
import { noticesName, writeNotices } from './notices'
import { executableOf, type Target } from './targets'

// Recipes of package managers that fetch a release. They name its digests, so each release makes them anew.

export const shareName = 'castellan-share.tar.gz'
export const chartName = `castellan-${version}.tgz`
export const flakeName = 'castellan-nix.tar.gz'

const packaging = join(import.meta.dir, '../../packaging')
const read = (path: string) => readFileSync(join(packaging, path), 'utf8')
const description = 'Self-hosted podcast manager and player'
const address = (name: string) => `${repository}/releases/download/v${version}/${name}`

/** Packs an archive as a release has it. */
export const pack = (entries: readonly Entry[], epoch: number): Uint8Array =>
  gzipSync(new Uint8Array(writeTar(entries, epoch)), { level: 9 })

/** Lists everything that a package installs next to the executable, under `share/`. */
export const shareFiles = (epoch: number): Entry[] => [
  ...[...manualPages(epoch), ...completions()].map(entry => ({ ...entry, path: entry.path.replace('usr/', '') })),
  { path: 'share/systemd/castellan.service', content: unitOfPackage(read('castellan.service')) },
  { path: 'share/systemd/castellan.container', content: read('castellan.container') },
  { path: 'share/systemd/castellan.sysusers', content: 'u castellan - Castellan /var/lib/castellan\n' },
  { path: 'share/castellan.env', content: read('debian/castellan.env') },
  { path: 'share/compose.yaml', content: read('compose.yaml') },
  { path: 'share/unraid.xml', content: read('unraid.xml') },
  { path: 'share/licenses/LICENSE', content: readFileSync(join(packaging, '../LICENSE')) },
  { path: `share/licenses/${noticesName}`, content: writeNotices() },
]

/** Lists the files of the Helm chart, in the folder that Helm expects. */
export const chartFiles = (): Entry[] =>
  [...new Glob('**/*').scanSync(join(packaging, 'helm'))].map(path => ({
    path: `castellan/${path}`,
    content: read(`helm/${path}`),
  }))

/** Digests in hexadecimal by file name. */
export type Digests = ReadonlyMap<string, string>

function source(digests: Digests, name: string) {
  const digest = digests.get(name)
  if (digest === undefined) throw new Error(`the recipes need ${name}`)
  return { url: address(name), digest }
}

/** Targets without which there are no recipes. */
export const recipeTargets: readonly Target[] = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** Writes a formula for a tap of Homebrew. */
export function formula(digests: Digests): string {
  const block = (target: Target) => {
    const { url, digest } = source(digests, executableOf(target))
    const cpu = target.endsWith('arm64') ? 'arm' : 'intel'
    return `    on_${cpu} do\n      url "${url}"\n      sha256 "${digest}"\n    end\n`
  }
  const share = source(digests, shareName)
  return `class Castellan < Formula
  desc "${description}"
  homepage "${site}"
  version "${version}"
  license "MIT"

  on_macos do
${block('darwin-arm64')}${block('darwin-x64')}  end

  on_linux do
${block('linux-arm64')}${block('linux-x64')}  end

  resource "share" do
    url "${share.url}"
    sha256 "${share.digest}"
  end

  def install
    bin.install Dir["castellan-*"].first => "castellan"
    resource("share").stage do
      man1.install Dir["man/man1/*"]
      bash_completion.install "bash-completion/completions/castellan"
      zsh_completion.install "zsh/vendor-completions/_castellan"
      fish_completion.install "fish/vendor_completions.d/castellan.fish"
      pkgshare.install "licenses"
    end
  end

  service do
    run opt_bin/"castellan"
    keep_alive true
    environment_variables DATA_DIRECTORY: var/"castellan"
    log_path var/"log/castellan.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/castellan --version")
  end
end
`
}

/** Writes a PKGBUILD for the user repository of Arch. */
export function pkgbuild(digests: Digests): string {
  const share = source(digests, shareName)
  const [x64, arm64] = (['linux-x64', 'linux-arm64'] as const).map(target => source(digests, executableOf(target)))
  return `# Maintainer: ${maintainer}
pkgname=castellan-bin
pkgver=${version.replace('-', '_')}
pkgrel=1
pkgdesc='${description}'
arch=(x86_64 aarch64)
url='${site}'
license=(MIT)
depends=(glibc)
provides=(castellan)
conflicts=(castellan)
backup=(etc/castellan/castellan.env)
# Stripping would cut off everything after the executable's own code.
options=(!strip !debug)
source=("castellan-share-$pkgver.tar.gz::${share.url}")
sha256sums=(${share.digest})
source_x86_64=("castellan-$pkgver-x86_64::${x64!.url}")
sha256sums_x86_64=(${x64!.digest})
source_aarch64=("castellan-$pkgver-aarch64::${arm64!.url}")
sha256sums_aarch64=(${arm64!.digest})

package() {
  install -Dm755 "castellan-$pkgver-$CARCH" "$pkgdir/usr/bin/castellan"
  install -Dm644 -t "$pkgdir/usr/share/man/man1" share/man/man1/*
  install -Dm644 -t "$pkgdir/usr/share/bash-completion/completions" share/bash-completion/completions/castellan
  install -Dm644 -t "$pkgdir/usr/share/zsh/site-functions" share/zsh/vendor-completions/_castellan
  install -Dm644 -t "$pkgdir/usr/share/fish/vendor_completions.d" share/fish/vendor_completions.d/castellan.fish
  install -Dm644 -t "$pkgdir/usr/lib/systemd/system" share/systemd/castellan.service
  install -Dm644 share/systemd/castellan.sysusers "$pkgdir/usr/lib/sysusers.d/castellan.conf"
  install -Dm640 -t "$pkgdir/etc/castellan" share/castellan.env
  install -Dm644 -t "$pkgdir/usr/share/licenses/$pkgname" share/licenses/*
}
`
}

/** Writes a flake. The executable runs as it is in a root of its own: patching would cut off what follows its code. */
export function flake(digests: Digests): string {
  const entry = (system: string, target: Target) => {
    const { url, digest } = source(digests, executableOf(target))
    return `      ${system} = { url = "${url}"; sha256 = "${digest}"; };\n`
  }
  const share = source(digests, shareName)
  return `{
  description = "${description}";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }: let
    sources = {
${entry('x86_64-linux', 'linux-x64')}${entry('aarch64-linux', 'linux-arm64')}    };
    package = system: source: let
      pkgs = nixpkgs.legacyPackages.\${system};
      executable = pkgs.fetchurl (source // { executable = true; });
      share = pkgs.fetchurl { url = "${share.url}"; sha256 = "${share.digest}"; };
    in pkgs.buildFHSEnv {
      pname = "castellan";
      version = "${version}";
      runScript = "\${executable}";
      extraInstallCommands = "tar -xzf \${share} -C $out";
      meta = { description = "${description}"; homepage = "${site}"; license = pkgs.lib.licenses.mit; };
    };
  in {
    packages = builtins.mapAttrs (system: source: { default = package system source; }) sources;
  };
}
`
}
