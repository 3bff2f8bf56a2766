module reconstruct.dev/leader-launcher

go 1.19
