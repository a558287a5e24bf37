import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Checks out an earlier release beside this one, and installs the packages of its own lockfile; a release with the
 * lockfile of this one shares its packages.
 * @returns its folder, and what removes it again
 * @throws Error with a sentence when the clone does not hold that commit, and when its packages cannot be installed
 */
export async function checkOutRelease(
  repository: string,
  commit: string,
): Promise<{ directory: string; remove(): Promise<void> }> {
  const git = async (...parameters: string[]) =>
    (await run('git', ['-C', repository, ...parameters])).stdout.trim()
  const isThere = await git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const isShallow = (await git('rev-parse', '--is-shallow-repository')) === 'true'
    throw new Error(
      isShallow
        ? `This clone is shallow and does not hold the release ${commit}. Run git fetch --unshallow first.`
        : `This clone does not hold the release ${commit}. Check the file previous-release.`,
    )
  }
  const parent = mkdtempSync(join(tmpdir(), 'hearth-release-'))
  const directory = join(parent, 'release')
  await git('worktree', 'add', '--detach', directory, commit)
  const lockfiles = [repository, directory].map((release) =>
    readFileSync(join(release, 'package-lock.json'), 'utf8'),
  )
  if (lockfiles[0] === lockfiles[1]) {
    symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'))
  } else {
    await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: directory })
  }
  return {
    directory,
    async remove() {
      await git('worktree', 'remove', '--force', directory)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
