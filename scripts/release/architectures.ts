/** Linux on glibc as Debian and OCI name it, and where its loader looks for libraries. */
export const architectures = {
  amd64: { folder: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2', qemu: 'qemu-x86_64-static' },
  arm64: { folder: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1', qemu: 'qemu-aarch64-static' },
} as const

export type Architecture = keyof typeof architectures
