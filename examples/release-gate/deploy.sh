#!/bin/sh
# What a deployment job calls: deploy.sh RELEASE EVIDENCE…
# It deploys only when the gate passes. Whatever else happens, nothing is deployed.
#
# Exit: 0 deployed, 3 wait and try again when there is more evidence, 4 refused, 1 the gate could not be asked.

here=$(dirname "$0")
release=$1

if [ $# -lt 2 ]; then
    echo "usage: deploy.sh RELEASE EVIDENCE…"
    exit 1
fi

# Each name is one word with its option, so that none is read as an option of its own: --help would end with 0.
shift
for file; do
    shift
    set -- "$@" "--facts=$file"
done

${SLUICE:-npx sluice} decide "$here/rules.tsd" --gate=deploy "--subject=$release" "$@"
case $? in
    0) echo "deploying $release" ;; # the real command stands here
    3) echo "waiting: $release is not deployed" && exit 3 ;;
    4) echo "refused: $release is not deployed" && exit 4 ;;
    *) echo "the gate could not be asked: $release is not deployed" && exit 1 ;;
esac
